import { IconHistory, IconSearch } from '@tabler/icons-react'
import { type FocusEvent, type KeyboardEvent, useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import { SearchBox } from '#components/search-box.tsx'
import { useLanguage } from '#lib/use-language.ts'
import { useCriteria } from '../criteria-store.ts'
import { useCourses } from '../resource.ts'
import { suggest } from '../suggestion-model.ts'
import classes from './list-toolbar.module.css'

/** The one place to search: what one may be about to type, or has searched for before, is a tap away. */
export function CourseSearch() {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  const courses = useCourses()
  const text = useCriteria(state => state.criteria.text)
  const recent = useCriteria(state => state.recent)
  const { change, remember, forget } = useCriteria.getState()
  const [isTyping, setIsTyping] = useState(false)
  const typed = useDeferredValue(isTyping ? text : null)
  const found = useMemo(
    () => (typed ? suggest(typed, courses, language) : typed === '' ? recent : []),
    [typed, courses, language, recent],
  )
  const Sign = typed ? IconSearch : IconHistory
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
        value={text}
        label={t('list.searchLabel')}
        clearLabel={t('list.searchClear')}
        onChange={changed => {
          setIsTyping(true)
          change({ text: changed })
        }}
      />
      {isTyping && found.length > 0 && (
        <ul className={classes.suggestions} aria-label={t(typed ? 'list.suggestions' : 'list.recent')}>
          {found.map(suggestion => (
            <li key={suggestion}>
              <button
                type="button"
                className={piece('action', 'soft')}
                onClick={() => {
                  change({ text: suggestion })
                  remember(suggestion)
                  setIsTyping(false)
                }}
              >
                <Sign size={18} aria-hidden />
                {suggestion.replaceAll('"', '')}
              </button>
            </li>
          ))}
          {!typed && (
            <li>
              <button type="button" className={piece('action')} onClick={forget}>
                {t('list.forget')}
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  )
}
