import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import type { FilterOptions, OptionCounts } from '../filter-model.ts'
import type { SearchCriteria } from '../search-criteria-model.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'
import { FilterPanel } from './filter-panel.tsx'

type Props = {
  options: FilterOptions
  counts: OptionCounts
  chosen: SearchCriteria['facets']
  /** number of courses in ended seasons */
  past: number
  hits: number
  onClose: () => void
}

/** Filter sheet for phones. The button that closes it shows the number of hits. */
export function FilterSheet({ options, counts, chosen, past, hits, onClose }: Props) {
  const { t } = useTranslation('courses')
  const reset = useSearchCriteria(state => state.reset)
  return (
    <Dialog
      kind={window.matchMedia('(min-width: 62em)').matches ? 'modal' : 'sheet'}
      title={t('list.filter')}
      onClose={onClose}
      footer={
        <>
          <Button look="ghost" onClick={reset}>
            {t('list.reset')}
          </Button>
          <Button look="primary" isWide onClick={onClose}>
            <span aria-live="polite">{hits === 0 ? t('list.showNone') : t('list.showHits', { count: hits })}</span>
          </Button>
        </>
      }
    >
      <FilterPanel options={options} counts={counts} chosen={chosen} past={past} />
    </Dialog>
  )
}
