import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { useUrlParam } from '../use-url-param.ts'
import classes from './filter-chips.module.css'

type SelectProps = {
  label: string
  name: string
  options: readonly { value: string; label: string }[]
  /** label of the option that selects no value; defaults to "all" */
  all?: string
  /** value that applies if the query parameter is missing; the select then has no empty option */
  initial?: string
}

/** Filter select that stores its value in the query parameter `name`. */
export function FilterSelect({ label, name, options, all, initial }: SelectProps) {
  const { t } = useTranslation('office')
  const [value, setValue] = useUrlParam(name)
  return (
    <label className={classes.chip} data-on={value !== ''}>
      <span>{label}</span>
      <select value={value || initial} onChange={event => setValue(event.currentTarget.value)}>
        {initial === undefined && <option value="">{all ?? t('filter.all')}</option>}
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Filter toggle that stores its state in the query parameter `name`. */
export function FilterToggle({ label, name }: { label: string; name: string }) {
  const [value, setValue] = useUrlParam(name)
  return (
    <Button look="quiet" isPill aria-pressed={value !== ''} onClick={() => setValue(value ? '' : '1')}>
      {label}
    </Button>
  )
}
