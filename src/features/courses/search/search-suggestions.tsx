import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { IconHistory } from '#ui/icons.ts'
import { ActionLink } from '#ui/layout.tsx'
import { IconSearch } from '#ui/shell-icons.ts'
import { useCoursesBySeason } from '../resource.ts'
import { useDeferredCriteria, useSearchCriteria } from './search-criteria-store.ts'
import { suggestCompletions } from './suggestion-model.ts'

/** Suggestions for the current query, and recent searches. */
export function SearchSuggestions({ className, onChosen }: { className: string | undefined; onChosen: () => void }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const { current: courses } = useCoursesBySeason()
  const { text: typed } = useDeferredCriteria()
  const recent = useSearchCriteria(state => state.recent)
  const { change, remember, forget } = useSearchCriteria.getState()
  const found = useMemo(
    () => (typed ? suggestCompletions(typed, courses, language) : recent),
    [typed, courses, language, recent],
  )
  const Sign = typed ? IconSearch : IconHistory
  if (found.length === 0) return null
  return (
    <ul className={className} aria-label={t(typed ? 'list.suggestions' : 'list.recent')}>
      {found.map(suggestion => (
        <li key={suggestion}>
          <ActionLink
            as="button"
            type="button"
            chip
            onClick={() => {
              change({ text: suggestion })
              remember(suggestion)
              onChosen()
            }}
          >
            <Sign size={18} aria-hidden />
            {suggestion.replaceAll('"', '')}
          </ActionLink>
        </li>
      ))}
      {!typed && (
        <li>
          <ActionLink as="button" type="button" onClick={forget}>
            {t('list.forget')}
          </ActionLink>
        </li>
      )}
    </ul>
  )
}
