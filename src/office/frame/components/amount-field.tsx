import { useState } from 'react'
import { TextField } from '#ui/text-field.tsx'
import { parseAmount } from '../model.ts'

type Props = {
  label: string
  hint?: string
  isRequired?: boolean
  /** amount in euros; undefined while empty or incomplete */
  value: number | undefined
  onChange: (amount: number | undefined) => void
}

/** Input for an amount in euros, with a decimal comma. */
export function AmountField({ label, hint, isRequired = true, value, onChange }: Props) {
  const [typed, setTyped] = useState(value === undefined ? '' : value.toFixed(2).replace('.', ','))
  return (
    <TextField
      label={label}
      hint={hint}
      required={isRequired}
      inputMode="decimal"
      value={typed}
      onChange={text => {
        setTyped(text)
        onChange(parseAmount(text))
      }}
    />
  )
}
