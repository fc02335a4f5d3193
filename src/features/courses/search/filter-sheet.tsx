import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isKeyOf } from '#contract/records.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Box, CheckLabel, Row, TapTarget, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import type { FilterOption, FilterOptions, OptionCounts } from './filter-model.ts'
import type { Facet, SearchCriteria } from './search-criteria-model.ts'
import { type CriteriaGroup, useIsCriterionChosen, useSearchCriteria } from './search-criteria-store.ts'
import { DAY_PARTS } from './time-of-day-model.ts'

type Props = {
  options: FilterOptions
  counts: OptionCounts
  chosen: SearchCriteria['facets']
  /** number of courses in past seasons */
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

/** The part of the day with its hours, because parts overlap. */
function withHours({ value, label }: FilterOption): FilterOption {
  const hours: readonly number[] = isKeyOf(DAY_PARTS, value) ? DAY_PARTS[value] : []
  return {
    value,
    label: [label, hours.map(minutes => `${String(minutes / 60).padStart(2, '0')}:00`).join('–')]
      .filter(Boolean)
      .join(', '),
  }
}

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

type FilterPanelProps = { options: FilterOptions; counts: OptionCounts; chosen: SearchCriteria['facets']; past: number }

const FilterPanel = memo(function FilterPanel({ options, counts, chosen, past }: FilterPanelProps) {
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
        const labelled = facet === 'parts' ? options.parts.map(withHours) : options[facet]
        return (
          <FilterGroup
            key={facet}
            group={facet}
            title={t(`facet.${facet}`)}
            options={labelled.map(option => ({ ...option, count: found.get(option.value) ?? 0 }))}
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

/** Number of options that are shown; the others are collapsed. */
const SHOWN = 8

type Counted = FilterOption & { count: number }

const Choice = memo(function Choice({ group, value, label, count }: Counted & { group: CriteriaGroup }) {
  const isChosen = useIsCriterionChosen(group, value)
  return (
    <CheckLabel tone={count === 0 && !isChosen ? 'muted' : 'ink'}>
      <input type="checkbox" checked={isChosen} onChange={() => useSearchCriteria.getState().toggle(group, value)} />
      <Text as="span" grow>
        {label}
      </Text>
      <Text as="span" size="s" tabular>
        {count}
      </Text>
    </CheckLabel>
  )
})

type FilterGroupProps = { group: CriteriaGroup; title: string; options: readonly Counted[]; chosen: readonly string[] }

/** Group of filter checkboxes, each with its number of hits. */
function FilterGroup({ group, title, options, chosen }: FilterGroupProps) {
  const { t } = useTranslation('courses')
  const [isWhole, setIsWhole] = useState(false)
  // A group with only one option is hidden, because it would filter nothing.
  if (options.length < 2 && chosen.length === 0 && group !== 'free' && group !== 'past') return null
  const isLong = options.length > SHOWN + 2
  const shown =
    isLong && !isWhole ? options.filter(({ value }, index) => chosen.includes(value) || index < SHOWN) : options
  return (
    <Box as="fieldset" bare mb="xl">
      <Text as="legend" variant="name" weight="bold">
        {title}
      </Text>
      {shown.map(option => (
        <Choice key={option.value} group={group} {...option} />
      ))}
      {isLong && (
        <Button look="text" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('facet.less') : t('facet.more', { count: options.length })}
        </Button>
      )}
    </Box>
  )
}
