import type { DateTimeValue, Language } from '#contract/values.ts'
import { pickText } from '#contract/words.ts'

const pad = (value: number, length = 2) => String(value).padStart(length, '0')

/** dd.MM.yyyy, in both languages. */
export const formatDate = ({ day, month, year }: DateTimeValue): string => `${pad(day)}.${pad(month)}.${pad(year, 4)}`

/** 24 hours, in both languages. */
export const formatTime = ({ hour, minute }: DateTimeValue): string => `${pad(hour)}:${pad(minute)}`

/** The second-language name when the language is English and there is one. */
export const nameIn = (language: Language, { name, name2 }: { name: string; name2: string }): string =>
  pickText(language, name, name2)

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text to stand in HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => ENTITIES[character] ?? '')
