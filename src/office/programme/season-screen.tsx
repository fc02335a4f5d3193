import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { startAct } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { FilterSelect } from '#office/frame/components/filter-chips.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { hasAnyRight } from '#office/frame/model.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { SeasonFigures } from '#office/money/components/report-figures.tsx'
import { ActionLink, Row, Stack, Text } from '#ui/layout.tsx'
import {
  changeSeason,
  copySeason,
  createCourse,
  createParallelCourse,
  createSeason,
  publishOrder,
  publishSeason,
  removeSeason,
} from './components/season-acts.tsx'
import { SeasonCourses } from './components/season-courses.tsx'
import { SeasonRehearsal } from './components/season-rehearsal.tsx'
import { SeasonWeek } from './components/season-week.tsx'
import { formatFullDate, toDateString } from './model.ts'
import type { Season } from './resource.ts'
import { useCourseFormOptions } from './use-course-form-options.ts'

/** The current season, or else a draft, or else the season that ends last. @param today 'YYYY-MM-DD' */
const firstOf = (seasons: readonly Season[], today: string): Season | undefined =>
  seasons.find(({ startsAt, endsAt, draft }) => !draft && (startsAt ?? '9') <= today && today <= (endsAt ?? '')) ??
  seasons.findLast(({ draft }) => draft) ??
  seasons.toSorted((a, b) => (a.endsAt ?? '').localeCompare(b.endsAt ?? '')).at(-1)

/** A season: its weekly plan by room or instructor, and its courses. */
export function SeasonScreen() {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const [chosen, choose] = useUrlParam('season')
  const rights = useSession(state => state.session?.rights) ?? []
  const mayChange = hasAnyRight(rights, ['programme'])
  const mayBill = hasAnyRight(rights, ['billing'])
  const seasons = useCompleteList('listOfficeSeasons')
  const today = toDateString(useToday())
  const season = seasons.data?.find(({ id }) => String(id) === chosen) ?? firstOf(seasons.data ?? [], today)
  const earlier = (seasons.data ?? [])
    .filter(({ draft, booked, waiting }) => !draft && booked + waiting > 0)
    .toSorted((a, b) => (b.startsAt ?? '').localeCompare(a.startsAt ?? ''))
  const before = earlier.find(({ startsAt }) => (startsAt ?? '') < (season?.startsAt ?? ''))
  const against = before && { id: String(before.id), name: nameInLanguage(language, before) }
  const courses = useCompleteList('listOfficeCourses', season ? { seasonId: season.id } : null)
  const categories = useCompleteList('listOfficeCategories', mayChange ? {} : null)
  const options = useCourseFormOptions(seasons.data ?? [], categories.data ?? [])
  const chooseMade = (id: number) => choose(String(id))
  if (seasons.data === null) return <LoadingState reading={seasons} />
  return (
    <OfficePage
      title={season ? nameInLanguage(language, season) : t('season.title')}
      lead={season && <SeasonLine season={season} />}
      actions={
        <>
          {season && seasons.data.length > 1 && (
            <FilterSelect
              label={t('season.choose')}
              name="season"
              initial={String(season.id)}
              options={seasons.data.map(one => ({
                value: String(one.id),
                label: nameInLanguage(language, one) + (one.draft ? ` (${t('season.draft')})` : ''),
              }))}
            />
          )}
          {mayChange && (
            <>
              {season && <SeasonActions season={season} onCopied={chooseMade} />}
              <ActButton look={season ? 'quiet' : 'primary'} isPill begin={() => createSeason(chooseMade)} />
            </>
          )}
        </>
      }
    >
      {season ? (
        <Stack gap="xl">
          {mayBill && !season.draft && <SeasonFigures seasonId={String(season.id)} against={against} />}
          {mayChange && season.draft && earlier.length > 0 && (
            <SeasonRehearsal
              key={`rehearsal ${season.id}`}
              season={season}
              earlier={earlier}
              courses={courses.data ?? []}
              onParallel={async courseId => startAct(await createParallelCourse(season, options, courseId))}
            />
          )}
          {mayChange && (
            <SeasonWeek key={`week ${season.id}`} season={season} today={today} courses={courses.data ?? []} />
          )}
          <div>
            <Row justify="between" py="s">
              <Text as="h2" variant="title" flush>
                {t('course.list')}
              </Text>
              {mayChange && <ActButton look="primary" isPill begin={() => createCourse(season, options)} />}
            </Row>
            {courses.data === null ? (
              <LoadingState reading={courses} />
            ) : (
              <SeasonCourses
                key={season.id}
                season={season}
                rows={courses.data}
                isLoading={courses.isLoading}
                mayChange={mayChange}
              />
            )}
          </div>
        </Stack>
      ) : (
        <p>{t('season.none')}</p>
      )}
    </OfficePage>
  )
}

/** @param onCopied receives the id of the copy */
function SeasonActions({ season, onCopied }: { season: Season; onCopied: (seasonId: number) => void }) {
  const { t } = useTranslation('office-programme')
  return (
    <>
      {(season.draft || season.booked + season.waiting === 0) && (
        <ActButton look={season.draft ? 'primary' : 'quiet'} isPill begin={() => publishSeason(season)} />
      )}
      {season.orderPublished ? (
        <ActionLink href={`/booking-order/${season.id}`}>{t('season.order')}</ActionLink>
      ) : (
        !season.draft &&
        season.booked + season.waiting > 0 && <ActButton look="quiet" isPill begin={() => publishOrder(season)} />
      )}
      <ActButton look="quiet" isPill begin={() => copySeason(season, onCopied)} />
      <ActButton look="quiet" isPill begin={() => changeSeason(season)} />
      {season.draft && <ActButton look="quiet" isPill begin={() => removeSeason(season)} />}
    </>
  )
}

/** Dates and figures of a season. The numbers of bookings link to the list that they count. */
function SeasonLine({ season }: { season: Season }) {
  const { t } = useTranslation('office-programme')
  const mayList = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings', 'billing']))
  const { draft, startsAt, endsAt, courses, places, booked, waiting } = season
  const facts = [
    draft ? t('season.draft') : t('season.published'),
    ...(startsAt && endsAt ? [`${formatFullDate(startsAt)} – ${formatFullDate(endsAt)}`] : []),
    t('course.count', { count: courses }),
  ]
  const counts = {
    booked: t('season.booked', { booked, places }),
    waiting: t('season.waiting', { count: waiting }),
  }
  return (
    <>
      {facts.join(' · ')}
      {(['booked', 'waiting'] as const).map(state => (
        <Fragment key={state}>
          {' · '}
          {mayList ? (
            <Link href={`/office/bookings?season=${season.id}&state=${state}`}>{counts[state]}</Link>
          ) : (
            counts[state]
          )}
        </Fragment>
      ))}
    </>
  )
}
