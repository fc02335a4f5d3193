import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import type { FilterOption } from '../filter-model.ts'

/** More options than this fold away. */
const SHOWN = 8

type Props = {
  title: string
  options: readonly (FilterOption & { isChosen: boolean; count: number })[]
  onToggle: (value: string) => void
}

/** One group of checkboxes with the number of hits behind each. */
export function FilterGroup({ title, options, onToggle }: Props) {
  const { t } = useTranslation('courses')
  const [isWhole, setIsWhole] = useState(false)
  // Where all courses have the same there is nothing to choose.
  if (options.length < 2 && !options.some(({ isChosen }) => isChosen) && title !== t('facet.availability')) return null
  const isLong = options.length > SHOWN + 2
  const shown = isLong && !isWhole ? options.filter(({ isChosen }, index) => isChosen || index < SHOWN) : options
  return (
    <fieldset className={piece('bare', 'below')}>
      <legend className={piece('name', 'bold')}>{title}</legend>
      {shown.map(({ value, label, isChosen, count }) => (
        <label key={value} className={piece('check', count === 0 && !isChosen ? 'muted' : 'ink')}>
          <input type="checkbox" checked={isChosen} onChange={() => onToggle(value)} />
          <span className={piece('grow')}>{label}</span>
          <span className={piece('small', 'steady')}>{count}</span>
        </label>
      ))}
      {isLong && (
        <Button look="text" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('facet.less') : t('facet.more', { count: options.length })}
        </Button>
      )}
    </fieldset>
  )
}
