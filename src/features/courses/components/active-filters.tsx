import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCriteria } from '../criteria-store.ts'
import type { ChosenFilter } from '../filter-model.ts'
import classes from './active-filters.module.css'

/** The chosen filters, each removable; then the way back to everything. */
export function ActiveFilters({ chosen }: { chosen: readonly ChosenFilter[] }) {
  const { t } = useTranslation('courses')
  const { replace, reset } = useCriteria()
  if (chosen.length === 0) return null
  return (
    <ul className={classes.chips} aria-label={t('list.chosen')}>
      {chosen.map(({ key, label, without }) => (
        <li key={key}>
          <button type="button" aria-label={t('list.remove', { label })} onClick={() => replace(without)}>
            {label}
            <IconX size={17} aria-hidden />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className={classes.reset} onClick={reset}>
          {t('list.reset')}
        </button>
      </li>
    </ul>
  )
}
