import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { Dialog } from '#components/dialog.tsx'
import { useCriteria } from '../criteria-store.ts'
import type { FilterOptions, OptionCounts } from '../filter-model.ts'
import { FilterPanel } from './filter-panel.tsx'

type Props = { options: FilterOptions; counts: OptionCounts; hits: number; onClose: () => void }

/** The filters on a phone; the button says what it will show. */
export function FilterSheet({ options, counts, hits, onClose }: Props) {
  const { t } = useTranslation('courses')
  const reset = useCriteria(state => state.reset)
  return (
    <Dialog
      kind="sheet"
      title={t('list.filter')}
      closeLabel={t('list.close')}
      onClose={onClose}
      footer={
        <>
          <button type="button" className={`${buttons.button} ${buttons.ghost}`} onClick={reset}>
            {t('list.reset')}
          </button>
          <button type="button" className={`${buttons.button} ${buttons.primary} ${buttons.wide}`} onClick={onClose}>
            <span aria-live="polite">{hits === 0 ? t('list.showNone') : t('list.showHits', { count: hits })}</span>
          </button>
        </>
      }
    >
      <FilterPanel options={options} counts={counts} />
    </Dialog>
  )
}
