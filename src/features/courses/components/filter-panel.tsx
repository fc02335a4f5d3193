import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import type { Facet } from '../criteria-model.ts'
import { useCriteria } from '../criteria-store.ts'
import type { FilterOptions, OptionCounts } from '../filter-model.ts'
import { FilterGroup } from './filter-group.tsx'

const ORDER: Facet[] = ['days', 'parts', 'categories', 'cities', 'seasons', 'venues']

/** The groups of filters. */
export const FilterPanel = memo(function FilterPanel({
  options,
  counts,
}: {
  options: FilterOptions
  counts: OptionCounts
}) {
  const { t } = useTranslation('courses')
  // Not the words: typing leaves the panel alone until the counts are there.
  const facets = useCriteria(state => state.criteria.facets)
  const isFreeOnly = useCriteria(state => state.criteria.isFreeOnly)
  const from = useCriteria(state => state.criteria.from)
  const to = useCriteria(state => state.criteria.to)
  const span = { from, to }
  const { toggle, change } = useCriteria.getState()
  return (
    <>
      <FilterGroup
        title={t('facet.availability')}
        options={[{ value: 'free', label: t('facet.free'), isChosen: isFreeOnly, count: counts.free }]}
        onToggle={() => change({ isFreeOnly: !isFreeOnly })}
      />
      {ORDER.map(facet => (
        <FilterGroup
          key={facet}
          title={t(`facet.${facet}`)}
          options={options[facet].map(option => ({
            ...option,
            isChosen: facets[facet].includes(option.value),
            count: counts.facets[facet].get(option.value) ?? 0,
          }))}
          onToggle={value => toggle(facet, value)}
        />
      ))}
      <fieldset className={piece('bare', 'below')}>
        <legend className={piece('name', 'bold')}>{t('facet.span')}</legend>
        <p className={piece('row', 'flush')}>
          {(['from', 'to'] as const).map(end => (
            <label key={end} className={piece('tap')}>
              {t(`facet.${end}`)}
              <input
                type="date"
                className={piece('input')}
                value={span[end]}
                onChange={event => change({ [end]: event.currentTarget.value })}
              />
            </label>
          ))}
        </p>
      </fieldset>
    </>
  )
})
