import { IconSearch, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import classes from './search-box.module.css'

type Props = {
  value: string
  label: string
  clearLabel: string
  onChange: (text: string) => void
  /** Enter; on phones it also puts the keyboard away */
  onSubmit?: () => void
}

export function SearchBox({ value, label, clearLabel, onChange, onSubmit }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <search>
      <form
        className={classes.box}
        onSubmit={event => {
          event.preventDefault()
          input.current?.blur()
          onSubmit?.()
        }}
      >
        <IconSearch className={classes.icon} aria-hidden />
        <input
          ref={input}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          value={value}
          placeholder={label}
          aria-label={label}
          onChange={event => onChange(event.currentTarget.value)}
        />
        {value !== '' && (
          <button
            type="button"
            aria-label={clearLabel}
            onClick={() => {
              onChange('')
              input.current?.focus()
            }}
          >
            <IconX aria-hidden />
          </button>
        )}
      </form>
    </search>
  )
}
