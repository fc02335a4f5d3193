import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import classes from '#features/courses/components/list-toolbar.module.css'
import { waitForPageIdle, waitForPageLoad } from '#lib/lazy-load.ts'
import { lazyComponent } from '#ui/lazy-screen.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { findCourseByNumber } from '../model.ts'
import { useCourseIndex } from '../resource.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

const { screen: SearchSuggestions, preload: fetchSuggestions } = lazyComponent(() =>
  import('./search-suggestions.tsx').then(m => m.SearchSuggestions),
)

/** Prefetches the suggestions while the browser is idle, so that the first keystrokes need not wait for the chunk. */
async function fetchSuggestionsAhead(): Promise<void> {
  await waitForPageLoad()
  await waitForPageIdle()
  // The component that shows the suggestions reports the error.
  await fetchSuggestions().catch(() => undefined)
}

/**
 * Separate component, so that a keystroke rerenders only the input. If the text is a printed course number, Enter opens
 * that course as soon as the programme is loaded.
 */
function Box({ onType }: { onType: () => void }) {
  const { t } = useTranslation('courses')
  const text = useSearchCriteria(state => state.criteria.text)
  const [, navigate] = useLocation()
  const [sent, setSent] = useState('')
  const found = useCourseIndex(({ data }) => (sent === text ? findCourseByNumber(data, sent) : undefined))
  useEffect(() => {
    if (found) navigate(`/course-details/${found.id}`)
  }, [found, navigate])
  return (
    <SearchBox
      action="/courses"
      value={text}
      label={t('list.searchLabel')}
      submitLabel={t('list.search')}
      onChange={changed => {
        onType()
        useSearchCriteria.getState().change({ text: changed })
      }}
      onSubmit={() => setSent(useSearchCriteria.getState().criteria.text)}
    />
  )
}

/** Search box of the course list, with suggestions and recent searches. */
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
