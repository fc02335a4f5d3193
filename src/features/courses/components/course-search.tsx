import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '#components/lazy-screen.tsx'
import { SearchBox } from '#components/search-box.tsx'
import { pageIdle, pageLoaded } from '#lib/lazy-load.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'
import classes from './list-toolbar.module.css'

const { screen: SearchSuggestions, preload: fetchSuggestions } = lazyPart(() =>
  import('./search-suggestions.tsx').then(m => m.SearchSuggestions),
)

/** In calm: their file would be read between the first letters. */
async function fetchSuggestionsAhead(): Promise<void> {
  await pageLoaded()
  await pageIdle()
  // What fails here fails again where they are shown, and is told there.
  await fetchSuggestions().catch(() => undefined)
}

/** By itself: a letter renders nothing else before it shows. */
function Box({ onType }: { onType: () => void }) {
  const { t } = useTranslation('courses')
  const text = useSearchCriteria(state => state.criteria.text)
  return (
    <SearchBox
      action="/courses"
      value={text}
      label={t('list.searchLabel')}
      onChange={changed => {
        onType()
        useSearchCriteria.getState().change({ text: changed })
      }}
    />
  )
}

/** The one place to search: what one may be about to type, or has searched for before, is a tap away. */
export function CourseSearch() {
  const [isTyping, setIsTyping] = useState(false)
  useEffect(() => {
    fetchSuggestionsAhead()
  }, [])
  const box = {
    onFocus: ({ target }: FocusEvent) => setIsTyping(target instanceof HTMLInputElement || isTyping),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (currentTarget.contains(relatedTarget)) return
      setIsTyping(false)
      const { criteria, remember } = useSearchCriteria.getState()
      remember(criteria.text)
    },
    onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && setIsTyping(false),
  }
  return (
    <div {...box}>
      <Box onType={() => setIsTyping(true)} />
      {isTyping && <SearchSuggestions className={classes.suggestions} onChosen={() => setIsTyping(false)} />}
    </div>
  )
}
