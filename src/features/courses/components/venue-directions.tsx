import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import type { Site } from '#contract/endpoints/sites.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActionLink, Row, Stack } from '#ui/layout.tsx'
import { useSitePlan } from '../use-site.ts'
import { mapUrlOf } from './course-facts.tsx'
import classes from './venue-directions.module.css'

function Drawing({ site, venue }: { site: Site; venue: string }) {
  const { t } = useTranslation('site-map')
  const language = useLanguage()
  const { width, height, roads, stepFree, places } = site
  const name = site.name[language]
  const gates = places.filter(({ kind }) => kind === 'gate').map(gate => gate.name[language])
  return (
    <Stack as="figure" gap="s" bare>
      <svg
        className={classes.map}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={[t('label', { site: name, venue }), ...gates].join(', ')}
      >
        {roads.map(road => (
          <path key={road} d={road} className={classes.road} />
        ))}
        {places.map(({ kind, name: label, venues, box: [x, y, w, h] }) => (
          <g key={label.de + x} className={classes[kind]} data-lit={venues.includes(venue) || undefined}>
            <rect x={x} y={y} width={w} height={h} rx="6" />
            <text x={x + w / 2} y={y + h / 2}>
              {label[language]}
            </text>
          </g>
        ))}
        {stepFree.map(way => (
          <path key={way} d={way} className={classes.way} />
        ))}
      </svg>
      <Row as="figcaption" size="s" gap="xs">
        <b>{name}</b>
        <svg className={classes.key} viewBox="0 0 36 8" aria-hidden>
          <path d="M0 4H36" className={classes.way} />
        </svg>
        {t('stepFree')}
      </Row>
    </Stack>
  )
}

/** Directions to the venue: a site plan with the venue highlighted, and a link to the device's map app. */
export function VenueDirections({ course }: { course: Course }) {
  const { t } = useTranslation(['site-map', 'courses'])
  const site = useSitePlan(course.venue)
  if (!site) return null
  return (
    <section id="way">
      <h2>{t('title')}</h2>
      <Drawing site={site} venue={course.venue} />
      <ActionLink href={mapUrlOf(course)} target="_blank" rel="noreferrer">
        {t('courses:details.map')}
      </ActionLink>
    </section>
  )
}
