import { useEffect, useState } from 'react'
import type { CourseTexts } from '#contract/endpoints/courses.ts'
import type { Language } from '#contract/values.ts'
import type { ListedCourse } from '../model.ts'
import type { SearchableDescriptions } from './search-model.ts'
import { loadSearchModule } from './use-read-query.ts'

const SLICE_MS = 6
const NONE: SearchableDescriptions = new Map()
const prepared: Record<Language, WeakMap<ReadonlyMap<number, CourseTexts>, SearchableDescriptions>> = {
  de: new WeakMap(),
  en: new WeakMap(),
}

/** Yields to the event loop, so that user input is processed first. */
const breathe = () => new Promise<void>(resolve => setTimeout(resolve, 4))

/** Processes items in short tasks. @returns false if it was cancelled */
async function inSlices<Item>(items: Iterable<Item>, act: (item: Item) => void, isWanted: () => boolean) {
  let sliceEnd = performance.now() + SLICE_MS
  for (const item of items) {
    act(item)
    if (performance.now() < sliceEnd) continue
    await breathe()
    if (!isWanted()) return false
    sliceEnd = performance.now() + SLICE_MS
  }
  return true
}

async function prepare(texts: ReadonlyMap<number, CourseTexts>, language: Language, isWanted: () => boolean) {
  const { searchableDescriptionOf: searchableLongText } = await loadSearchModule()
  const result = new Map<number, string>()
  const isDone = await inSlices(
    texts.values(),
    text => result.set(text.id, searchableLongText(text, language)),
    isWanted,
  )
  if (!isDone) return null
  prepared[language].set(texts, result)
  return result
}

/**
 * Course descriptions as normalized text to search in. They are prepared in short tasks after they have been loaded,
 * once per language.
 */
export function useSearchableDescriptions(
  texts: ReadonlyMap<number, CourseTexts>,
  courses: readonly ListedCourse[],
  language: Language,
): SearchableDescriptions {
  const [made, setMade] = useState<{ language: Language; longTexts: SearchableDescriptions } | null>(null)
  const cached = prepared[language].get(texts)
  useEffect(() => {
    if (cached || texts.size === 0) return
    let isWanted = true
    prepare(texts, language, () => isWanted).then(longTexts => longTexts && setMade({ language, longTexts }))
    return () => {
      isWanted = false
    }
  }, [cached, texts, language])
  // Preloads the search tables, so that the first keystroke does not have to wait for them.
  useEffect(() => {
    if (texts.size === 0) return
    let isWanted = true
    loadSearchModule().then(({ preloadSearchFields }) =>
      inSlices(
        courses,
        course => preloadSearchFields(course, language),
        () => isWanted,
      ),
    )
    return () => {
      isWanted = false
    }
  }, [texts, courses, language])
  return cached ?? (made?.language === language ? made.longTexts : NONE)
}
