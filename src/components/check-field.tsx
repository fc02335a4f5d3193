import type { ReactNode } from 'react'
import { piece } from './pieces.ts'

type Props = { label: ReactNode; checked: boolean; onChange: (checked: boolean) => void }

export function CheckField({ label, checked, onChange }: Props) {
  return (
    <label className={piece('check')}>
      <input type="checkbox" checked={checked} onChange={event => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  )
}
