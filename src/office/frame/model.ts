import { escapeFormula } from '#contract/escape-formula.ts'
import { TELEPHONE_BOOK } from '#contract/name-order.ts'
import { foldText } from '#contract/normalize.ts'
import type { ActConsequences, ActResponse } from '#contract/office/office.ts'
import type { Language, Right } from '#contract/values.ts'

/** Merges the results of two actions without duplicates; the later response takes precedence. */
export function mergeActAnswers(first: ActResponse, next: ActResponse): ActResponse {
  const [a, b] = [first.consequences, next.consequences]
  const both = <One extends { id: number; name: string }>(one: readonly One[], other: readonly One[]) => [
    ...new Map([...one, ...other].map(person => [`${person.id} ${person.name}`, person])).values(),
  ]
  return {
    ...next,
    consequences: {
      mails: a.mails + b.mails,
      letters: a.letters + b.letters,
      messages: a.messages + b.messages,
      pushes: a.pushes + b.pushes,
      booked: both(a.booked, b.booked),
      ended: both(a.ended, b.ended),
      promoted: both(a.promoted, b.promoted),
      told: both(a.told, b.told),
      call: both(a.call, b.call),
      clashes: [...a.clashes, ...b.clashes],
    },
  }
}

/** Three-way merge after a conflict: applies the user's changes to the current values. */
export function mergeWithCurrentValues<Act extends object>(mine: Act, before: Act, now: Act): Act {
  const isTyped = (name: string) =>
    JSON.stringify(Reflect.get(mine, name)) !== JSON.stringify(Reflect.get(before, name))
  return { ...mine, ...Object.fromEntries(Object.entries(now).filter(([name]) => !isTyped(name))) }
}

/** The impact of an action as counts, in display order. */
export function impactCountsOf({ booked, ended, promoted, told, call, letters, clashes }: ActConsequences) {
  const isIn = (list: { id: number }[]) => (one: { id: number }) => list.some(({ id }) => id === one.id)
  const others = booked.filter(isIn(ended))
  return {
    told: told.length,
    letters,
    promoted: promoted.length,
    booked: booked.filter(one => !isIn(ended)(one) && !isIn(promoted)(one)).length,
    other: others.length,
    ended: ended.filter(one => !isIn(booked)(one)).length,
    call: call.length,
    clashes: clashes.length,
  }
}

export const hasAnyRight = (held: readonly Right[], wanted: readonly Right[]): boolean =>
  wanted.some(right => held.includes(right))

/**
 * Formats CSV with a UTF-8 BOM, semicolons and CRLF. An apostrophe neutralizes cells that spreadsheets would read as
 * formulas.
 */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) => {
    const text = typeof value === 'string' ? escapeFormula(value) : String(value)
    return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `\uFEFF${rows.map(row => row.map(cell).join(';')).join('\r\n')}\r\n`
}

/** Parses an amount in euros with a decimal comma or point; undefined while it is incomplete. */
export function parseAmount(typed: string): number | undefined {
  const amount = Number(
    typed
      .trim()
      .replace(/\.(?=\d{3}(?:\D|$))/g, '')
      .replace(',', '.'),
  )
  return typed.trim() === '' || !Number.isFinite(amount) ? undefined : Math.round(amount * 100) / 100
}

export type TableSorting = { key: string; isDown: boolean }
/** Parses a sort order from the URL: `name` is ascending, `-name` descending. */
export const parseSorting = (text: string | null): TableSorting | null =>
  text ? { key: text.replace(/^-/, ''), isDown: text.startsWith('-') } : null
export const formatSorting = ({ key, isDown }: TableSorting): string => (isDown ? `-${key}` : key)

const collator = new Intl.Collator(TELEPHONE_BOOK, { numeric: true, sensitivity: 'base' })

export const compareCellValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

/** Whether every word of the search occurs in one of the texts, ignoring case and accents. */
export function matchesSearch(search: string, texts: readonly (string | number)[]): boolean {
  const all = foldText(texts.join(' '))
  return foldText(search)
    .split(/\s+/)
    .every(word => all.includes(word))
}

/** Formats a local time in the portal's time zone ('YYYY-MM-DDTHH:mm…') as `Mo 23.11.2026, 18:00`. */
export function formatWallClockTime(at: string, language: Language): string {
  const day = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    new Date(`${at.slice(0, 10)}T00:00Z`),
  )
  const [year, month, date] = at.slice(0, 10).split('-')
  return `${day} ${date}.${month}.${year}, ${at.slice(11, 16)}`
}

const randomBase64 = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))

/** Creates a service token: 256 random bits in base64url. */
export const createServiceToken = (): string =>
  randomBase64().replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

/** Creates the signing secret of a webhook in the format of Standard Webhooks. */
export const createWebhookSecret = (): string => `whsec_${randomBase64()}`

const DAY_MS = 86_400_000
/** Adds days to a calendar day. @param day 'YYYY-MM-DD' */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
/** 0: Sunday. @param day 'YYYY-MM-DD' */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()
export const mondayOf = (day: string): string => addDays(day, -((weekdayOf(day) + 6) % 7))

/**
 * Formats a number in the German format in both languages, as amounts of money are: the same comma must not separate
 * thousands in one figure and decimals in the next.
 */
export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString('de-DE', options)
