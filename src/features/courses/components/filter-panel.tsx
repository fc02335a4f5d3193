import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Box, Row, TapTarget, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import type { FilterOptions, OptionCounts } from '../filter-model.ts'
import type { Facet, SearchCriteria } from '../search-criteria-model.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'
import { FilterGroup } from './filter-group.tsx'

const ORDER: Facet[] = ['days', 'parts', 'categories', 'cities', 'seasons', 'venues']

function Span() {
  const { t } = useTranslation('courses')
  const from = useSearchCriteria(state => state.criteria.from)
  const to = useSearchCriteria(state => state.criteria.to)
  const span = { from, to }
  return (
    <Box as="fieldset" bare mb="xl">
      <Text as="legend" variant="name" weight="bold">
        {t('facet.span')}
      </Text>
      <Row as="p" flush>
        {(['from', 'to'] as const).map(end => (
          <TapTarget as="label" key={end}>
            {t(`facet.${end}`)}
            <input
              type="date"
              className={styles({ base: 'input' })}
              value={span[end]}
              onChange={event => useSearchCriteria.getState().change({ [end]: event.currentTarget.value })}
            />
          </TapTarget>
        ))}
      </Row>
    </Box>
  )
}

type Props = { options: FilterOptions; counts: OptionCounts; chosen: SearchCriteria['facets']; past: number }

export const FilterPanel = memo(function FilterPanel({ options, counts, chosen, past }: Props) {
  const { t } = useTranslation('courses')
  return (
    <>
      <FilterGroup
        group="free"
        title={t('facet.availability')}
        options={[{ value: '', label: t('facet.free'), count: counts.free }]}
        chosen={[]}
      />
      {ORDER.map(facet => {
        const found = counts.of(facet)
        return (
          <FilterGroup
            key={facet}
            group={facet}
            title={t(`facet.${facet}`)}
            options={options[facet].map(option => ({ ...option, count: found.get(option.value) ?? 0 }))}
            chosen={chosen[facet]}
          />
        )
      })}
      <Span />
      {past > 0 && (
        <FilterGroup
          group="past"
          title={t('facet.ended')}
          options={[{ value: '', label: t('facet.past'), count: past }]}
          chosen={[]}
        />
      )}
    </>
  )
})
