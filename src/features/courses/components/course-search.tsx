import { type FocusEvent, type KeyboardEvent, lazy, Suspense, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchBox } from '#components/search-box.tsx'
import { useCriteria } from '../criteria-store.ts'
import classes from './list-toolbar.module.css'

const SearchSuggestions = lazy(() => import('./search-suggestions.tsx').then(m => ({ default: m.SearchSuggestions })))

/** The one place to search: what one may be about to type, or has searched for before, is a tap away. */
export function CourseSearch() {
  const { t } = useTranslation('courses')
  const text = useCriteria(state => state.criteria.text)
  const { change, remember } = useCriteria.getState()
  const [isTyping, setIsTyping] = useState(false)
  const typed = useDeferredValue(text)
  const box = {
    onFocus: ({ target }: FocusEvent) => setIsTyping(target instanceof HTMLInputElement || isTyping),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (currentTarget.contains(relatedTarget)) return
      setIsTyping(false)
      remember(text)
    },
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && setIsTyping(false),
  }
  return (
    <div {...box}>
      <SearchBox
        action="/courses"
        value={text}
        label={t('list.searchLabel')}
        clearLabel={t('list.searchClear')}
        onChange={changed => {
          setIsTyping(true)
          change({ text: changed })
        }}
      />
      {isTyping && (
        <Suspense>
          <SearchSuggestions typed={typed} className={classes.suggestions} onChosen={() => setIsTyping(false)} />
        </Suspense>
      )}
    </div>
  )
}
