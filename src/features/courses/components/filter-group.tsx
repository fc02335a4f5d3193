import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Box, CheckLabel, Text } from '#ui/layout.tsx'
import type { FilterOption } from '../filter-model.ts'
import { type CriteriaGroup, useIsChosen, useSearchCriteria } from '../search-criteria-store.ts'

/** Number of options that are shown; the others are collapsed. */
const SHOWN = 8

type Counted = FilterOption & { count: number }

const Choice = memo(function Choice({ group, value, label, count }: Counted & { group: CriteriaGroup }) {
  const isChosen = useIsChosen(group, value)
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

type Props = { group: CriteriaGroup; title: string; options: readonly Counted[]; chosen: readonly string[] }

/** Group of filter checkboxes, each with its number of hits. */
export function FilterGroup({ group, title, options, chosen }: Props) {
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
