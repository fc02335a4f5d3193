import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { Button } from '#components/button.tsx'
import { ChoiceField } from '#components/choice-field.tsx'
import { piece } from '#components/pieces.ts'
import { listOfficeCourses, listRooms } from '#contract/office.ts'
import {
  getOfficeGrid,
  listOfficeCategories,
  listOfficeInstructors,
  listOfficeSeasons,
} from '#contract/office-programme.ts'
import { nameIn } from '#contract/words.ts'
import { DeskPage } from '#features/office/components/desk-page.tsx'
import { DeskTable } from '#features/office/components/desk-table.tsx'
import { ReadingState } from '#features/office/components/reading-state.tsx'
import type { Column } from '#features/office/components/table-cells.tsx'
import { hasOneOf } from '#features/office/model.ts'
import { useAddressValue } from '#features/office/use-address-value.ts'
import { useList, useRead } from '#features/office/use-read.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { useCourseActs } from './components/course-acts.tsx'
import { useLessonActs } from './components/lesson-acts.tsx'
import { useSeasonActs } from './components/season-acts.tsx'
import { WeekGrid } from './components/week-grid.tsx'
import { addDays, dayOf, type GridBy, mondayOf, sayDate, weekdayOf } from './model.ts'
import type { CourseRow, GridLesson, Season } from './resource.ts'
import { useOptions } from './use-options.ts'

/** The season that runs, else a draft, else the one that ends last. @param today 'YYYY-MM-DD' */
const firstOf = (seasons: readonly Season[], today: string): Season | undefined =>
  seasons.find(({ startsAt, endsAt, draft }) => !draft && (startsAt ?? '9') <= today && today <= (endsAt ?? '')) ??
  seasons.findLast(({ draft }) => draft) ??
  seasons.toSorted((a, b) => (a.endsAt ?? '').localeCompare(b.endsAt ?? '')).at(-1)

/** A season: its week by room or instructor, beside it its courses. */
export function SeasonScreen() {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const [chosen, choose] = useAddressValue('season')
  const rights = useSession(state => state.session?.rights) ?? []
  const mayChange = hasOneOf(rights, ['programme'])
  const seasons = useList(listOfficeSeasons)
  const today = dayOf(useToday())
  const season = seasons.data?.find(({ id }) => String(id) === chosen) ?? firstOf(seasons.data ?? [], today)
  const courses = useList(listOfficeCourses, season ? { seasonId: season.id } : null)
  const categories = useList(listOfficeCategories, mayChange ? {} : null)
  const options = useOptions(seasons.data ?? [], categories.data ?? [])
  const acts = useSeasonActs(options, id => choose(String(id)))
  if (seasons.data === null) return <ReadingState reading={seasons} />
  return (
    <DeskPage
      title={season ? nameIn(language, season) : t('season.title')}
      lead={season && <SeasonLine season={season} />}
      actions={
        mayChange && (
          <>
            {season && (
              <>
                <Button look={season.draft ? 'primary' : 'quiet'} isPill onClick={() => acts.publish(season)}>
                  {t(season.draft ? 'act.publish-season' : 'act.unpublish-season')}
                </Button>
                <Button look="quiet" isPill onClick={() => acts.copy(season)}>
                  {t('act.copy-season')}
                </Button>
                <Button look="quiet" isPill onClick={() => acts.change(season)}>
                  {t('act.change-season')}
                </Button>
                {season.draft && (
                  <Button look="quiet" isPill onClick={() => acts.remove(season)}>
                    {t('act.remove-season')}
                  </Button>
                )}
              </>
            )}
            <Button look={season ? 'quiet' : 'primary'} isPill onClick={acts.create}>
              {t('act.create-season')}
            </Button>
          </>
        )
      }
    >
      {seasons.data.length > 1 && (
        <ChoiceField
          name="season"
          label={t('season.choose')}
          value={String(season?.id ?? '')}
          options={seasons.data.map(one => ({
            value: String(one.id),
            label: nameIn(language, one) + (one.draft ? ` (${t('season.draft')})` : ''),
          }))}
          onChange={choose}
        />
      )}
      {season ? (
        <div className={piece('stack', 'apart')}>
          {mayChange && <Week key={season.id} season={season} today={today} courses={courses.data ?? []} />}
          <div>
            <div className={piece('spread', 'padded')}>
              <h2 className={piece('title', 'flush')}>{t('course.list')}</h2>
              {mayChange && (
                <Button look="primary" isPill onClick={() => acts.createCourse(season.id)}>
                  {t('act.create-course')}
                </Button>
              )}
            </div>
            {courses.data === null ? (
              <ReadingState reading={courses} />
            ) : (
              <Courses rows={courses.data} isLoading={courses.isLoading} mayChange={mayChange} />
            )}
          </div>
        </div>
      ) : (
        <p>{t('season.none')}</p>
      )}
    </DeskPage>
  )
}

function SeasonLine({ season }: { season: Season }) {
  const { t } = useTranslation('office-programme')
  const { draft, startsAt, endsAt, courses, places, booked, waiting } = season
  return [
    draft ? t('season.draft') : t('season.published'),
    ...(startsAt && endsAt ? [`${sayDate(startsAt)} – ${sayDate(endsAt)}`] : []),
    t('course.count', { count: courses }),
    t('season.booked', { booked, places }),
    t('season.waiting', { count: waiting }),
  ].join(' · ')
}

/** The week that shows: that of the address, else this week, else the season's first. */
function Week({ season, today, courses }: { season: Season; today: string; courses: readonly CourseRow[] }) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const [week, setWeek] = useAddressValue('week')
  const [by, setBy] = useAddressValue('by')
  const gridBy: GridBy = by === 'instructor' ? 'instructor' : 'room'
  const first = courses.map(({ start }) => start).sort()[0] ?? season.startsAt ?? today
  const from = week || mondayOf(first > today ? first : today)
  const reading = useRead(getOfficeGrid, { query: { from, to: addDays(from, 6) } })
  const rooms = useList(listRooms)
  const instructors = useList(listOfficeInstructors)
  const acts = useLessonActs({ rooms: rooms.data ?? [], instructors: instructors.data ?? [] })
  const clashes = reading.data?.lessons.filter(({ clash }) => clash).length ?? 0
  const toAct = (lesson: GridLesson) => ({
    ...lesson,
    courseName: `${lesson.number} ${nameIn(language, lesson)}`,
  })
  const grid = reading.data
  return (
    <section className={piece('stack')} aria-label={t('grid.title')}>
      <div className={piece('row')}>
        <Button look="quiet" isPill aria-label={t('grid.before')} onClick={() => setWeek(addDays(from, -7))}>
          ‹
        </Button>
        <b>{`${sayDate(from)} – ${sayDate(addDays(from, 6))}`}</b>
        <Button look="quiet" isPill aria-label={t('grid.after')} onClick={() => setWeek(addDays(from, 7))}>
          ›
        </Button>
        <Button look="text" onClick={() => setWeek('')}>
          {t('grid.present')}
        </Button>
        <fieldset className={piece('row', 'bare')}>
          <legend className="visually-hidden">{t('grid.by')}</legend>
          {(['room', 'instructor'] as const).map(value => (
            <Button key={value} look="quiet" isPill aria-pressed={gridBy === value} onClick={() => setBy(value)}>
              {t(`grid.${value}`)}
            </Button>
          ))}
        </fieldset>
        <span className={piece(clashes > 0 ? 'bad' : 'muted')} role="status">
          {t('grid.clashes', { count: clashes })}
        </span>
      </div>
      {grid === null ? (
        <ReadingState reading={reading} />
      ) : (
        <WeekGrid
          grid={grid}
          by={gridBy}
          seasonId={season.id}
          onOpen={lesson => acts.change(toAct(lesson))}
          onMove={(lesson, { date, row }) =>
            acts.change(toAct(lesson), {
              ...(date !== lesson.date && { date }),
              ...(row.roomId !== null && row.roomId !== lesson.roomId && { roomId: row.roomId }),
              ...(row.email !== '' &&
                !lesson.instructors.some(({ email }) => email === row.email) && { instructorEmail: row.email }),
            })
          }
        />
      )}
    </section>
  )
}

type CoursesProps = { rows: CourseRow[]; isLoading: boolean; mayChange: boolean }

function Courses({ rows, isLoading, mayChange }: CoursesProps) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const { setState } = useCourseActs()
  const columns = useMemo(
    (): Column<CourseRow>[] => [
      {
        key: 'name',
        label: t('field.name'),
        isName: true,
        value: row => `${row.number} ${nameIn(language, row)}`,
        show: row => (
          <Link href={`/office/courses/${row.id}`}>
            {row.number} {nameIn(language, row)}
          </Link>
        ),
      },
      {
        key: 'when',
        label: t('list.when'),
        value: ({ start, startTime }) => `${(weekdayOf(start) + 6) % 7} ${startTime} ${start}`,
        show: ({ start, startTime }) => `${t(`day.${weekdayOf(start)}`)} ${startTime}`,
      },
      {
        key: 'booked',
        label: t('list.booked'),
        value: ({ booked }) => booked,
        show: ({ booked, places }) => `${booked}/${places}`,
      },
      { key: 'waiting', label: t('list.waiting'), value: ({ waiting }) => waiting },
      {
        key: 'state',
        label: t('list.state'),
        value: ({ cancelled, confirmed }) =>
          t(cancelled ? 'state.cancelled' : confirmed ? 'state.confirmed' : 'state.open'),
      },
      {
        key: 'recorded',
        label: t('list.recorded'),
        value: row => row.lastRecorded ?? '',
        isWideOnly: true,
        show: row => (row.lastRecorded ? sayDate(row.lastRecorded) : ''),
      },
    ],
    [t, language],
  )
  return (
    <DeskTable
      caption={t('course.list')}
      columns={columns}
      rows={rows}
      idOf={({ id }) => id}
      isLoading={isLoading}
      {...(mayChange && {
        selection: (selected: CourseRow[], clear: () => void) => (
          <>
            <Button look="primary" isPill onClick={() => setState('confirm-course', selected, clear)}>
              {t('act.confirm-course', { count: selected.length })}
            </Button>
            <Button look="danger" isPill onClick={() => setState('cancel-course', selected, clear)}>
              {t('act.cancel-course', { count: selected.length })}
            </Button>
          </>
        ),
      })}
    />
  )
}
