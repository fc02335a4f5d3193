import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { useScrollCurrentIntoView } from '#office/frame/use-scroll-current-into-view.ts'
import classes from '#ui/tabs.module.css'

type Props = {
  tabs: readonly { key: string; label: string }[]
  present: string
  label: string
  onChoose: (key: string) => void
  children: ReactNode
}

/** Tab list with one visible panel. The arrow keys move between tabs. */
export function Tabs({ tabs, present, label, onChoose, children }: Props) {
  const id = useId()
  const strip = useScrollCurrentIntoView<HTMLDivElement>(present)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const index = tabs.findIndex(({ key }) => key === present)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (step === 0 || !next) return
    event.preventDefault()
    onChoose(next.key)
    event.currentTarget.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
  }
  return (
    <div>
      <div ref={strip} className={classes.tabs} role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(tab => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`${id}-${tab.key}`}
            data-key={tab.key}
            aria-selected={tab.key === present}
            aria-controls={`${id}-panel`}
            tabIndex={tab.key === present ? 0 : -1}
            onClick={() => onChoose(tab.key)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${present}`}>
        {children}
      </div>
    </div>
  )
}
