import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { api } from '#lib/api.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { usePrinting } from '#lib/use-printing.ts'
import { startAct } from '#office/frame/act-store.ts'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { addDays } from '#office/frame/model.ts'
import { useDownload } from '#office/frame/use-download.ts'
import { Button } from '#ui/button.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { countClashes, firstDayOfPlan, type PlanRow, toPlanRows } from '../plan-model.ts'
import type { CourseRow, GridLesson, Season } from '../resource.ts'
import { usePlanView } from '../use-plan-view.ts'
import { setAbsence } from './absence-acts.tsx'
import { changeLesson } from './lesson-acts.tsx'
import { PlanBar } from './plan-bar.tsx'
import classes from './plan-grid.module.css'
import { type LessonDrop, PlanGrid } from './plan-grid.tsx'
import { UnregisteredInstructors } from './unknown-instructors.tsx'
import { UnregisteredVenues } from './unknown-places.tsx'

type Props = { season: Season; today: string; courses: readonly CourseRow[] }

/** The fields of a lesson that change when it is dropped at another time or on another row of the plan. */
const changeOf = (lesson: GridLesson, { date, row, startTime, endTime }: LessonDrop) => ({
  ...(date !== lesson.date && { date }),
  ...(startTime !== lesson.startTime && { startTime, endTime }),
  ...(row.roomId !== null && row.roomId !== lesson.roomId && { roomId: row.roomId }),
  ...(row.email !== '' &&
    !lesson.instructors.some(({ email }) => email === row.email) && { instructorEmail: row.email }),
})

/** Number of overlapping lessons, a button that moves the focus to the next of them. @param count null while loading */
function Clashes({ count }: { count: number | null }) {
  const { t } = useTranslation('office-programme')
  const index = useRef(-1)
  const focusNext = () => {
    const blocks = document.querySelectorAll<HTMLElement>('[data-clash="true"]')
    index.current = (index.current + 1) % Math.max(1, blocks.length)
    const next = blocks[index.current]
    next?.focus()
    next?.scrollIntoView({ block: 'center', inline: 'center' })
  }
  return (
    <Text as="span" size="s" tone={count ? 'bad' : 'muted'} role="status">
      {count === 0 && t('grid.clashes', { count })}
      {count !== null && count > 0 && (
        <Button look="text" onClick={focusNext}>
          {t('grid.clashes', { count })}
        </Button>
      )}
    </Text>
  )
}

/**
 * Plan of a week or a day: the one in the URL, or else the current week, or else the first week of a season that is
 * over or ahead.
 */
export function SeasonWeek({ season, today, courses }: Props) {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const isPrinting = usePrinting()
  const view = usePlanView(firstDayOfPlan(season, courses, today), today)
  const { monday, days, by, only } = view
  const reading = useResource('getOfficeGrid', { query: { from: monday, to: addDays(monday, 6) } })
  const rooms = useCompleteList('listRooms')
  const instructors = useCompleteList('listOfficeInstructors')
  const choices = { rooms: rooms.data ?? [], instructors: instructors.data ?? [] }
  const grid = reading.data
  const lessons = grid?.lessons ?? []
  const places = useResource('listRooms', {}).data?.unknown ?? []
  const unknown = lessons.filter(
    ({ roomId, room, state }) => roomId === null && state === 'planned' && places.some(({ name }) => name === room),
  ).length
  // In the day view, every room has a column even if it has no lessons, because lessons can be dropped there.
  const rows = useMemo(
    () =>
      toPlanRows(
        grid?.lessons ?? [],
        by,
        t(`grid.none.${by}`),
        view.isDay ? (rooms.data ?? []) : [],
        instructors.data ?? [],
      ),
    [grid, by, t, view.isDay, rooms.data, instructors.data],
  )
  const download = useDownload()
  const [firstDay = monday] = days
  const room = only && rows.find(({ key }) => key === only)?.label
  const saveSheets = () =>
    void download(() =>
      api.getRoomSheets({ query: { from: firstDay, to: days.at(-1) ?? firstDay, ...(room && { room }) } }),
    )
  const shownRows = rows.filter(row => only === '' || row.key === only)
  const toAct = (lesson: GridLesson) => ({
    ...lesson,
    courseName: `${lesson.number} ${nameInLanguage(language, lesson)}`,
  })
  // A printed day has only the rooms or instructors of its lessons.
  const isPrinted = ({ days: used }: PlanRow) => !isPrinting || !view.isDay || days.some(day => used.has(day))
  // Memoized, because typing in the list of courses below changes the URL but not the plan.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions are recreated on each render from these values
  const plan = useMemo(
    () =>
      grid && (
        <PlanGrid
          grid={grid}
          rows={shownRows.filter(isPrinted)}
          days={days}
          by={by}
          seasonId={season.id}
          today={today}
          zoom={view.zoom}
          isWhole={isPrinting}
          onOpen={lesson => startAct(changeLesson(toAct(lesson), choices))}
          onDay={view.showDay}
          onAway={({ email, label }) =>
            startAct(
              setAbsence({
                instructorEmail: email,
                name: label,
                from: monday > today ? monday : today,
                to: addDays(monday, 6),
              }),
            )
          }
          onMove={(lesson, to) => startAct(changeLesson(toAct(lesson), choices, changeOf(lesson, to)))}
        />
      ),
    [grid, rows, only, days.join(), view.zoom, isPrinting, season.id, today, rooms.data, instructors.data, language],
  )
  return (
    <Stack as="section" className={classes.plan} aria-label={t('grid.title')}>
      <PlanBar view={view} rows={rows} onPrint={() => window.print()} onSheets={saveSheets}>
        <Clashes count={grid && countClashes(shownRows, days)} />
      </PlanBar>
      {unknown > 0 && (
        <Row className={classes.unprinted}>
          <Text flush>{t('rooms.unknown', { count: unknown })}</Text>
          <UnregisteredVenues places={places} />
        </Row>
      )}
      {by === 'instructor' && lessons.some(({ instructors: own }) => own.length === 0) && (
        <Row className={classes.unprinted}>
          <UnregisteredInstructors instructors={instructors.data ?? []} />
        </Row>
      )}
      {lessons.some(({ seasonId }) => seasonId !== season.id) && (
        <Text size="s" tone="muted" flush className={classes.unprinted}>
          {t('grid.otherSeasons')}
        </Text>
      )}
      {plan ?? <LoadingState reading={reading} />}
    </Stack>
  )
}
