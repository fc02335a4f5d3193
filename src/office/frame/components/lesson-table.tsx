import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button } from '#ui/button.tsx'
import { Surface, Table, Text } from '#ui/layout.tsx'
import { startAct } from '../act-store.ts'
import { formatWallClockTime } from '../model.ts'
import classes from './lesson-table.module.css'
import { RecordLink } from './record-link.tsx'
import { cancelOrRestoreLesson, type TodayLesson, useMayChangeProgramme } from './today-acts.ts'

type Props = {
  /** lessons of one day, in chronological order */
  lessons: readonly TodayLesson[]
  label: string
  /** current time as 'YYYY-MM-DDTHH:mm'; '' if the lessons are on another day */
  now: string
}

/** Maximum total number of lessons in the sites that are expanded initially; they fill about two screens. */
const UNFOLDED = 40

/** Groups lessons by site, sorted by name. Sites are expanded while their lessons do not exceed `UNFOLDED` in total. */
function sitesOf(lessons: readonly TodayLesson[]) {
  const names = [...new Set(lessons.map(({ site }) => site))].sort((a, b) => a.localeCompare(b))
  let count = 0
  return names.map(site => {
    const rows = lessons.filter(lesson => lesson.site === site)
    const isOpen = count + rows.length <= UNFOLDED
    if (isOpen) count += rows.length
    return { site, rows, isOpen }
  })
}

/** The lessons that are shown while the list of the only site is collapsed: the next ones and a few before them. */
function nearestOf(rows: readonly TodayLesson[], next: number): readonly TodayLesson[] {
  const first = Math.max(0, Math.min((next < 0 ? rows.length : next) - 5, rows.length - UNFOLDED / 2))
  return rows.slice(first, first + UNFOLDED / 2)
}

/** Table of one day's lessons by site, with a line at the current time. */
export function LessonTable({ lessons, label, now }: Props) {
  const { t } = useTranslation('office')
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const sites = sitesOf(lessons)
  const isSingle = sites.length === 1
  if (lessons.length === 0)
    return (
      <Text tone="muted" flush>
        {t('today.nothing')}
      </Text>
    )
  const toggle = (site: string) =>
    setToggled(before => {
      const after = new Set(before)
      if (!after.delete(site)) after.add(site)
      return after
    })
  return (
    <Surface className={classes.frame}>
      <Table tabular className={classes.lessons} aria-label={label}>
        <thead>
          <tr className={classes.head}>
            <th scope="col">{t('today.time')}</th>
            <th scope="col">{t('today.course')}</th>
            <th scope="col" className={classes.wide}>
              {t('today.room')}
            </th>
            <th scope="col" className={classes.wide}>
              {t('today.instructor')}
            </th>
            <th scope="col" className={`${classes.number} ${classes.wide}`}>
              {t('today.places')}
            </th>
            <td />
          </tr>
        </thead>
        {sites.map(({ site, rows, isOpen }) => {
          const isWhole = isOpen !== toggled.has(site)
          const next = rows.findIndex(({ at }) => at > now)
          const shown = isWhole ? rows : isSingle ? nearestOf(rows, next) : []
          return (
            <tbody key={site}>
              {!isSingle && (
                <tr className={classes.site}>
                  <th scope="rowgroup" colSpan={6}>
                    <button type="button" aria-expanded={isWhole} onClick={() => toggle(site)}>
                      {site || t('today.noSite')}{' '}
                      <span>
                        {t('today.lessonCount', { count: rows.length })}
                        {now !== '' && rows[next] && t('today.nextAt', { time: rows[next].at.slice(11) })}
                      </span>
                    </button>
                  </th>
                </tr>
              )}
              {shown.map(lesson => (
                <Row key={lesson.courseDateId} lesson={lesson} isNext={now !== '' && lesson === rows[next]} />
              ))}
            </tbody>
          )
        })}
      </Table>
      {isSingle && lessons.length > UNFOLDED && (
        <Button look="text" className={classes.all} onClick={() => toggle(sites[0]?.site ?? '')}>
          {toggled.size > 0 ? t('today.fewer') : t('today.all', { count: lessons.length })}
        </Button>
      )}
    </Surface>
  )
}

function Row({ lesson, isNext }: { lesson: TodayLesson; isNext: boolean }) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const mayChange = useMayChangeProgramme()
  const { courseId, at, endTime, state, room, instructor, booked, places } = lesson
  const isCancelled = state === 'cancelled'
  const name = nameInLanguage(language, lesson)
  const about = `${name}, ${formatWallClockTime(at, language)}`
  return (
    <tr {...(isNext && { 'data-now': t('today.now') })}>
      <td className={classes.time}>{`${at.slice(11)}–${endTime}`}</td>
      <th scope="row">
        <RecordLink kind="courses" id={courseId}>
          {name}
        </RecordLink>
        {isCancelled && (
          <Text as="span" tone="bad">
            {' '}
            {t('today.cancelled')}
          </Text>
        )}
        <small className={classes.narrow}>
          {[room, instructor, t('today.booked', { count: booked })].filter(Boolean).join(' · ')}
        </small>
      </th>
      <td className={classes.wide}>{room}</td>
      <td className={classes.wide}>{instructor}</td>
      <td className={`${classes.number} ${classes.wide}`}>
        {booked} / {places}
      </td>
      <td className={classes.act}>
        {mayChange && (
          <Button
            look="text"
            data-edit
            aria-label={`${t(isCancelled ? 'today.restore' : 'today.cancel')}: ${about}`}
            onClick={() => startAct(cancelOrRestoreLesson(lesson, about))}
          >
            {t(isCancelled ? 'today.restore' : 'today.cancel')}
          </Button>
        )}
      </td>
    </tr>
  )
}
