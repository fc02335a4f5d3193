import { useTranslation } from 'react-i18next'
import { nameInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import type { SelectOptionsByKind } from './components/act-fields.tsx'
import type { Season } from './resource.ts'

const WEEK = [1, 2, 3, 4, 5, 6, 0]

export function useCourseFormOptions(
  seasons: readonly Pick<Season, 'id' | 'name' | 'name2'>[],
  categories: readonly { id: number; name: string; name2: string }[],
): SelectOptionsByKind {
  const { t } = useTranslation('office-programme')
  const language = useLanguage()
  const named = (one: { id: number; name: string; name2: string }) => ({
    value: String(one.id),
    label: nameInLanguage(language, one),
  })
  return {
    season: seasons.map(named),
    category: categories.map(named),
    weekday: WEEK.map(day => ({ value: String(day), label: t(`day.${day}`) })),
  }
}
