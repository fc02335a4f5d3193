import { addDays, mondayOf } from '#office/frame/model.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'

import type { PlanRow, PlanRowKind } from './plan-model.ts'

const WEEK = [0, 1, 2, 3, 4, 5, 6]
/** Maximum zoom level; the minimum is 0. */
export const MAX_ZOOM = 2

/**
 * State of the plan, stored in the URL: a week or a day, the rows (rooms, instructors, or a single one), and the zoom
 * level.
 * @param first day shown by default, 'YYYY-MM-DD'
 * @param today 'YYYY-MM-DD'
 */
export function usePlanView(first: string, today: string) {
  const [week, setWeek] = useUrlParam('week')
  const [day, setDay] = useUrlParam('day')
  const [byParam, setBy] = useUrlParam('by')
  const [only, setOnly] = useUrlParam('only')
  const [zoomParam, setZoom] = useUrlParam('zoom')
  const isDay = day !== ''
  const monday = isDay ? mondayOf(day) : week || mondayOf(first)
  const by: PlanRowKind = byParam === 'instructor' ? 'instructor' : 'room'
  const zoom = Math.min(MAX_ZOOM, Number.parseInt(zoomParam, 10) || 0)
  return {
    monday,
    days: isDay ? [day] : WEEK.map(index => addDays(monday, index)),
    isDay,
    by,
    /** key of the only row displayed; '' displays all rows */
    only,
    zoom,
    /** whether a time span other than the default one is shown */
    isMoved: isDay ? day !== first : monday !== mondayOf(first),
    step: (count: 1 | -1) => (isDay ? setDay(addDays(day, count)) : setWeek(addDays(monday, 7 * count))),
    show: (date: string) => (isDay ? setDay(date) : setWeek(mondayOf(date))),
    reset: () => (isDay ? setDay(first) : setWeek('')),
    showDay: (date = monday <= today && today <= addDays(monday, 6) ? today : monday, row?: PlanRow) => {
      setDay(date)
      if (row) setOnly(row.key)
    },
    showWeek: () => {
      setDay('')
      setWeek(monday)
    },
    showBy: (next: PlanRowKind) => {
      setOnly('')
      setBy(next)
    },
    zoomTo: (next: number) => {
      if (next >= 0 && next <= MAX_ZOOM) setZoom(next === 0 ? '' : String(next))
    },
  }
}

export type PlanView = ReturnType<typeof usePlanView>
