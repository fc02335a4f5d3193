import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './layout.tsx'
import classes from './search-box.module.css'
import { IconSearch, IconX } from './shell-icons.ts'

type Props = {
  value: string
  label: string
  onChange: (text: string) => void
  /** form action used until JavaScript has loaded; the text is sent as the parameter `q` */
  action?: string
} & (
  | { submitLabel?: undefined; onSubmit?: (() => void) | undefined }
  /** called on Enter and by the button in front of the input; on phones, it also closes the on-screen keyboard */
  | { submitLabel: string; onSubmit: () => void }
)

export function SearchBox({ value, label, onChange, action, submitLabel, onSubmit }: Props) {
  const { t } = useTranslation('shell')
  const input = useRef<HTMLInputElement>(null)
  return (
    <search>
      <form
        className={classes.box}
        action={action}
        onSubmit={event => {
          event.preventDefault()
          input.current?.blur()
          onSubmit?.()
        }}
      >
        {submitLabel ? (
          <IconButton type="submit" aria-label={submitLabel} className={classes.icon}>
            <IconSearch />
          </IconButton>
        ) : (
          <IconSearch className={classes.icon} />
        )}
        <input
          ref={input}
          type="search"
          name="q"
          enterKeyHint="search"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          value={value}
          placeholder={label}
          aria-label={label}
          onChange={event => onChange(event.currentTarget.value)}
        />
        {/* Hidden by the stylesheet while the box is empty, because mounting it would delay the first keystroke. */}
        <IconButton
          type="button"
          tone="muted"
          aria-label={t('clearSearch')}
          onClick={() => {
            onChange('')
            input.current?.focus()
          }}
        >
          <IconX />
        </IconButton>
      </form>
    </search>
  )
}
