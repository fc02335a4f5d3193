import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { nameIn } from '#contract/words.ts'
import { ReadingState } from '#features/office/components/reading-state.tsx'
import { useList } from '#features/office/list-resource.ts'
import { useUrlParam } from '#features/office/use-url-param.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { addDays, formatFullDate, type GridBy, mondayOf } from '../model.ts'
import type { CourseRow, GridLesson, Season } from '../resource.ts'
import { useAbsenceActs } from './absence-acts.tsx'
import { useLessonActs } from './lesson-acts.tsx'
import { UnknownPlaces } from './unknown-places.tsx'
import { WeekGrid } from './week-grid.tsx'

/** The displayed week: from the URL, otherwise the current one, otherwise the first of the season. */
export function SeasonWeek({
  season,
  today,
  courses,
}: {
  season: Season
  today: string
  courses: readonly CourseRow[]
}) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const [week, setWeek] = useUrlParam('week')
  const [by, setBy] = useUrlParam('by')
  const gridBy: GridBy = by === 'instructor' ? 'instructor' : 'room'
  const first = courses.map(({ start }) => start).sort()[0] ?? season.startsAt ?? today
  const from = week || mondayOf(first > today ? first : today)
  const reading = useResource('getOfficeGrid', { query: { from, to: addDays(from, 6) } })
  const rooms = useList('listRooms')
  const instructors = useList('listOfficeInstructors')
  const acts = useLessonActs({ rooms: rooms.data ?? [], instructors: instructors.data ?? [] })
  const absences = useAbsenceActs()
  const clashes = reading.data?.lessons.filter(({ clash }) => clash).length ?? 0
  const places = useResource('listRooms', {}).data?.unknown ?? []
  const isUnknown = ({ roomId, room, state }: GridLesson) =>
    roomId === null && state === 'planned' && places.some(({ name }) => name === room)
  const unknown = reading.data?.lessons.filter(isUnknown).length ?? 0
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
        <b>{`${formatFullDate(from)} – ${formatFullDate(addDays(from, 6))}`}</b>
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
          {(clashes > 0 || unknown === 0) && t('grid.clashes', { count: clashes })}
        </span>
      </div>
      {unknown > 0 && (
        <div className={piece('row')}>
          <p className={piece('flush')}>{t('rooms.unknown', { count: unknown })}</p>
          <UnknownPlaces places={places} />
        </div>
      )}
      {grid === null ? (
        <ReadingState reading={reading} />
      ) : (
        <WeekGrid
          grid={grid}
          by={gridBy}
          seasonId={season.id}
          onOpen={lesson => acts.change(toAct(lesson))}
          onAway={({ email, label }) =>
            absences.set({
              instructorEmail: email,
              name: label,
              from: from > today ? from : today,
              to: addDays(from, 6),
            })
          }
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
