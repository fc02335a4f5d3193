import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '#features/courses/components/list-toolbar.module.css'
import { Button } from '#ui/button.tsx'
import { IconX } from '#ui/shell-icons.ts'
import type { ActiveFilter } from './filter-model.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

/**
 * A button that resets the query and the filters, and a removable chip for each active filter that is not already shown
 * as a pressed chip. `children` are further actions.
 */
export function ActiveFilters({ chosen, children }: { chosen: readonly ActiveFilter[]; children: ReactNode }) {
  const { t } = useTranslation('courses')
  const { replace, reset } = useSearchCriteria.getState()
  const hasWords = useSearchCriteria(state => state.criteria.text.trim() !== '')
  if (chosen.length === 0 && !hasWords) return null
  return (
    <ul className={classes.quick} aria-label={t('list.chosen')}>
      <li>
        <Button look="text" onClick={reset}>
          {t('list.reset')}
        </Button>
      </li>
      {chosen
        .filter(({ isPressed }) => !isPressed)
        .map(({ key, label, without }) => (
          <li key={key}>
            <Button isPill aria-label={t('list.remove', { label })} onClick={() => replace(without)}>
              {label}
              <IconX size={17} />
            </Button>
          </li>
        ))}
      {children}
    </ul>
  )
}
