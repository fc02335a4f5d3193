import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { focusHeading } from '#lib/focus.ts'
import classes from './dialog.module.css'
import { useBackCloses } from './use-back-closes.ts'

type Props = {
  title: string
  closeLabel: string
  onClose: () => void
  /** `sheet`: from the bottom edge on phones */
  kind?: 'modal' | 'sheet'
  children: ReactNode
  footer?: ReactNode
}

/** A modal dialog of the platform: keeps the focus inside, closes on Escape and outside, gives the focus back. */
export function Dialog({ title, closeLabel, onClose, kind = 'modal', children, footer }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useBackCloses(onClose)
  useEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true })
      // What opened it may have gone with what the dialog was about.
      if (document.activeElement === document.body) focusHeading()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes by the platform; the click is the one on the backdrop
    <dialog
      ref={dialog}
      className={`${classes.dialog} ${kind === 'sheet' ? classes.sheet : classes.modal}`}
      aria-labelledby={titleId}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => event.target === dialog.current && onClose()}
    >
      <div className={classes.frame}>
        <header className={classes.header}>
          <h2 id={titleId}>{title}</h2>
          <button type="button" className={classes.close} onClick={onClose} aria-label={closeLabel}>
            <IconX aria-hidden />
          </button>
        </header>
        <div className={classes.content}>{children}</div>
        {footer && <footer className={classes.footer}>{footer}</footer>}
      </div>
    </dialog>
  )
}
