import { useEffect, useState } from 'react'
import type { CourseTexts } from '#contract/courses.ts'
import type { Language } from '#contract/values.ts'
import type { LongTexts } from './search-model.ts'
import { fetchSearch } from './use-read-query.ts'

const SLICE_MS = 6
const NONE: LongTexts = new Map()
const prepared: Record<Language, WeakMap<ReadonlyMap<number, CourseTexts>, LongTexts>> = {
  de: new WeakMap(),
  en: new WeakMap(),
}

/** A break in which the page answers to the reader first. */
const breathe = () => new Promise<void>(resolve => setTimeout(resolve, 4))

async function prepare(texts: ReadonlyMap<number, CourseTexts>, language: Language, isWanted: () => boolean) {
  const { longTextHaystack } = await fetchSearch()
  const result = new Map<number, string>()
  let sliceEnd = performance.now() + SLICE_MS
  for (const text of texts.values()) {
    result.set(text.id, longTextHaystack(text, language))
    if (performance.now() < sliceEnd) continue
    await breathe()
    if (!isWanted()) return null
    sliceEnd = performance.now() + SLICE_MS
  }
  prepared[language].set(texts, result)
  return result
}

/** The whole web texts, ready to be searched: made in small slices after they have come, once per language. */
export function useLongTexts(texts: ReadonlyMap<number, CourseTexts>, language: Language): LongTexts {
  const [made, setMade] = useState<{ language: Language; longTexts: LongTexts } | null>(null)
  const cached = prepared[language].get(texts)
  useEffect(() => {
    if (cached || texts.size === 0) return
    let isWanted = true
    prepare(texts, language, () => isWanted).then(longTexts => longTexts && setMade({ language, longTexts }))
    return () => {
      isWanted = false
    }
  }, [cached, texts, language])
  return cached ?? (made?.language === language ? made.longTexts : NONE)
}
