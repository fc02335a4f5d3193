import { foldText } from '#contract/normalize.ts'
import { COURSE_FORM_GROUPS, SEASON_FORM_FIELDS } from '#contract/office/programme.ts'
import type { FieldKind, FormFieldSpec } from '#contract/tables/fields.ts'
import { addDays } from '#office/frame/model.ts'

export const ALL_COURSE_FIELDS: readonly FormFieldSpec[] = COURSE_FORM_GROUPS.flatMap(({ fields }) => fields)
/** Form fields for copying a season. The description is not among them, because it is copied from the original. */
export const SEASON_COPY_FIELDS: readonly FormFieldSpec[] = SEASON_FORM_FIELDS.filter(
  ({ name }) => name !== 'description',
).map(field => ({
  ...field,
  isRequired: true,
}))

/** Fields that are not copied from a template course. */
const OWN_FIELDS = ['number', 'seasonId', 'start', 'end', 'bookableFrom', 'decideOn', 'confirmed', 'note', 'note2']

export const filledFieldsOf = (columns: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== null && value !== '' && value !== undefined),
  )

/** The fields that are copied from a course to a new course based on it. @param columns columns of the original */
export const courseTemplateOf = (columns: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  filledFieldsOf(Object.fromEntries(Object.entries(columns).filter(([name]) => !OWN_FIELDS.includes(name))))

/** Days between a season and the next one of its kind, which has the same weekdays. */
const YEAR_DAYS = 364

/** Increments the years in a text: 'Winter 2026/27' becomes 'Winter 2027/28'. */
const incrementYears = (text: string): string =>
  text.replace(/(?<!\d)(?:20)?\d\d(?!\d)/g, year =>
    String(Number(year) + 1)
      .slice(-year.length)
      .padStart(year.length, '0'),
  )

type SeasonDates = Record<'startsAt' | 'endsAt' | 'bookableFrom' | 'viewableFrom', string | null>

/** Proposes the fields of a season's copy, 52 weeks later. A shortcut without a year must be chosen. */
export function nextSeason(season: { name: string; name2: string; shortcut: string } & SeasonDates) {
  const shift = (name: keyof SeasonDates) => {
    const at = season[name]
    // Before the year 2000: visible or bookable since ever.
    return at === null || at < '2001' ? undefined : addDays(at.slice(0, 10), YEAR_DAYS) + at.slice(10)
  }
  const [shortcut, dates] = [
    incrementYears(season.shortcut),
    {
      startsAt: shift('startsAt'),
      endsAt: shift('endsAt'),
      bookableFrom: shift('bookableFrom'),
      viewableFrom: shift('viewableFrom'),
    },
  ]
  return {
    name: incrementYears(season.name),
    ...(season.name2 && { name2: incrementYears(season.name2) }),
    ...(shortcut !== season.shortcut && { shortcut }),
    ...Object.fromEntries(Object.entries(dates).filter(([, value]) => value !== undefined)),
  }
}

/** Required fields without a value. */
export const missingFields = (fields: readonly FormFieldSpec[], act: object): FormFieldSpec[] =>
  fields.filter(({ name, isRequired }) => {
    const value = Reflect.get(act, name)
    return isRequired && (value === undefined || value === '')
  })

/** Converts the value of an action's field to the text of its input. */
export const formatFieldValue = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.join(' ') : String(value)

/**
 * Converts the text of an input to the value of an action's field. If the value is undefined, because the text is empty
 * or not a number, the action omits the field.
 */
export function parseFieldText(kind: FieldKind, text: string): unknown {
  if (kind === 'emails') return text.split(/[\s,;]+/).filter(Boolean)
  if (['count', 'year', 'money', 'hours', 'weekday', 'season', 'category'].includes(kind)) {
    const number = Number(text.replace(',', '.'))
    return text.trim() === '' ? (kind === 'money' ? null : undefined) : Number.isNaN(number) ? undefined : number
  }
  return text === '' && ['date', 'startOfDay', 'time'].includes(kind) ? undefined : text
}

export const instructorName = ({ givenName, familyName }: { givenName: string; familyName: string }): string =>
  [givenName, familyName].filter(Boolean).join(' ')

/** Splits a person's name as programmes display it: 'Kim Neu' or 'Neu, Kim'. */
function splitPersonName(name: string): { familyName: string; givenName: string } {
  const [family = '', given] = name.split(',').map(part => part.trim())
  if (given) return { familyName: family, givenName: given }
  const words = family.split(/\s+/)
  return { familyName: words.at(-1) ?? '', givenName: words.slice(0, -1).join(' ') }
}

/** Proposes the e-mail address of the only instructor with each displayed name; '' if there is none. */
export function addressesOfNames(
  names: readonly { name: string }[],
  instructors: readonly { email: string; givenName: string; familyName: string }[],
): Record<string, string> {
  const byName = Map.groupBy(instructors, one => foldText(instructorName(one)))
  const addressOf = (name: string) => {
    const { familyName, givenName } = splitPersonName(name)
    const found = byName.get(foldText(instructorName({ familyName, givenName }))) ?? []
    return found.length === 1 ? (found[0]?.email ?? '') : ''
  }
  return Object.fromEntries(names.map(({ name }) => [name, addressOf(name)]))
}

/**
 * Instructors of displayed names, from the typed e-mail addresses. Several addresses belong to the names in their order:
 * 'Ida Karaca & Kim Neu'.
 */
export const instructorsOfNames = (addresses: Readonly<Record<string, string>>) =>
  Object.entries(addresses).flatMap(([name, text]) => {
    const emails = text.split(/[\s,;]+/).filter(Boolean)
    const parts = name.split(/\s*(?:[&/;+,]|\bund\b|\band\b)\s*/).filter(Boolean)
    return emails.map((email, index) => ({
      name,
      email: email.toLowerCase(),
      ...splitPersonName((emails.length === parts.length && parts[index]) || name),
    }))
  })

/** Whether the venue is a placeholder such as 'noch unbekannt' or 'Diverse', which is no room. */
export const isPlaceholderVenue = (name: string): boolean =>
  /^(?:divers|versch|various|several|noch |unbekannt|unknown|offen$|folgt|wird |tba|tbd|n\.?\s?n\.?$|[?–-]+$)/i.test(
    name.trim(),
  )

/** Calendar day ('YYYY-MM-DD') of a local time in the portal's time zone, in ms. */
export const toDateString = (wallMs: number): string => new Date(wallMs).toISOString().slice(0, 10)
/** Formats a calendar day as `24.11.` */
export const formatShortDay = (day: string): string => `${day.slice(8, 10)}.${day.slice(5, 7)}.`
/** Formats a calendar day as `24.11.2026` */
export const formatFullDate = (day: string): string => `${formatShortDay(day)}${day.slice(0, 4)}`
/** Formats a local time in the portal's time zone as `24.11.2026, 18:00`. @param moment 'YYYY-MM-DDTHH:mm' */
export const formatDateTime = (moment: string): string => `${formatFullDate(moment)}, ${moment.slice(11, 16)}`
