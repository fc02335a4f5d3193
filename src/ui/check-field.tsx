import type { ReactNode } from 'react'
import { CheckLabel } from './layout.tsx'

type Props = { label: ReactNode; checked: boolean; onChange: (checked: boolean) => void }

export function CheckField({ label, checked, onChange }: Props) {
  return (
    <CheckLabel>
      <input type="checkbox" checked={checked} onChange={event => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </CheckLabel>
  )
}
