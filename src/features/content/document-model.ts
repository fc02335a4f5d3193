import type { WebContentItem } from '#contract/endpoints/content.ts'
import type { Language } from '#contract/values.ts'
import { itemsOfType } from './model.ts'

const FLYERS = ['Flyer', 'CourseFlyer', 'InstructorFlyer'] as const
const ENGLISH_DOCUMENTS = ['FAQ_English', 'Conditions_English', 'Privacy_Policy'] as const

/**
 * Content items for a language. English variants have their own content types; English readers get these if there are
 * any.
 */
export function itemsInLanguage(
  items: readonly WebContentItem[],
  type: 'CourseFlyer' | 'Flyer' | 'InstructorFlyer',
  language: Language,
): WebContentItem[] {
  const english = language === 'en' ? itemsOfType(items, `${type}_English`) : []
  return english.length > 0 ? english : itemsOfType(items, type)
}

/** URLs of the documents for a language, flyers first. */
export const documentsInLanguage = (items: readonly WebContentItem[], language: Language): string[] => [
  ...new Set(
    [
      ...FLYERS.flatMap(type => itemsInLanguage(items, type, language)),
      ...(language === 'en' ? ENGLISH_DOCUMENTS.flatMap(type => itemsOfType(items, type)) : []),
    ]
      .map(({ fileName }) => fileName)
      .filter(fileName => fileName !== ''),
  ),
]

let sizes: Intl.NumberFormat | null = null

/** Formats a file size with German separators. @param bytes */
export const formatFileSize = (bytes: number): string => {
  sizes ??= new Intl.NumberFormat('de-DE', { maximumFractionDigits: 1 })
  if (bytes >= 1e9) return `${sizes.format(bytes / 1e9)} GB`
  if (bytes >= 1e6) return `${sizes.format(bytes / 1e6)} MB`
  return `${sizes.format(Math.ceil(bytes / 1e3))} KB`
}
