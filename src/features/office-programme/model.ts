import type { FieldKind, FieldSpec } from '#contract/fields.ts'
import { COURSE_FORM, SEASON_FORM } from '#contract/office-programme.ts'
import type { GridLesson } from './resource.ts'

export const ALL_COURSE_FIELDS: readonly FieldSpec[] = COURSE_FORM.flatMap(({ fields }) => fields)
/** A copied season inherits the description of the original. */
export const COPY_FIELDS: readonly FieldSpec[] = SEASON_FORM.filter(({ name }) => name !== 'description').map(
  field => ({
    ...field,
    isRequired: true,
  }),
)

/** Required fields without a value. */
export const missingFields = (fields: readonly FieldSpec[], act: object): FieldSpec[] =>
  fields.filter(({ name, isRequired }) => {
    const value = Reflect.get(act, name)
    return isRequired && (value === undefined || value === '')
  })

/** Input text for an act's value. */
export const toInput = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.join(' ') : String(value)

/** Act value of an input's text; undefined: omitted while empty. */
export function fromInput(kind: FieldKind, text: string): unknown {
  if (kind === 'emails') return text.split(/[\s,;]+/).filter(Boolean)
  if (['count', 'year', 'money', 'hours', 'weekday', 'season', 'category'].includes(kind)) {
    const number = Number(text.replace(',', '.'))
    return text.trim() === '' ? (kind === 'money' ? null : undefined) : Number.isNaN(number) ? undefined : number
  }
  return text === '' && ['date', 'startOfDay', 'time'].includes(kind) ? undefined : text
}

const DAY_MS = 86_400_000
/** @param day 'YYYY-MM-DD' */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()
export const mondayOf = (day: string): string => addDays(day, -((weekdayOf(day) + 6) % 7))
/** The calendar day of a wall clock in ms. */
export const dayOf = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10)
/** `24.11.` */
export const formatShortDay = (day: string): string => `${day.slice(8, 10)}.${day.slice(5, 7)}.`
/** `24.11.2026` */
export const formatFullDate = (day: string): string => `${formatShortDay(day)}${day.slice(0, 4)}`
/** `24.11.2026, 18:00`. @param moment 'YYYY-MM-DDTHH:mm' */
export const formatDateTime = (moment: string): string => `${formatFullDate(moment)}, ${moment.slice(11, 16)}`

export type GridBy = 'room' | 'instructor'
/** Row of the grid: a room or an instructor with their lessons by day. */
export type GridRow = {
  key: string
  label: string
  roomId: number | null
  email: string
  days: Map<string, GridLesson[]>
}

/** Lessons of the given days, by room or instructor. */
export function toGridRows(lessons: readonly GridLesson[], by: GridBy, none: string): GridRow[] {
  const rows = new Map<string, GridRow>()
  const put = (lesson: GridLesson, row: Omit<GridRow, 'days'>) => {
    const found = rows.get(row.key) ?? { ...row, days: new Map<string, GridLesson[]>() }
    rows.set(row.key, found)
    found.days.set(lesson.date, [...(found.days.get(lesson.date) ?? []), lesson])
  }
  for (const lesson of lessons) {
    const { roomId, room, instructors } = lesson
    if (by === 'room') put(lesson, { key: String(roomId ?? room), label: room || none, roomId, email: '' })
    else if (instructors.length === 0) put(lesson, { key: '', label: none, roomId: null, email: '' })
    else for (const { email, name } of instructors) put(lesson, { key: email, label: name, roomId: null, email })
  }
  return [...rows.values()].sort((a, b) => (a.key === '' ? 1 : b.key === '' ? -1 : a.label.localeCompare(b.label)))
}
