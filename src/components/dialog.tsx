import { lazy, Suspense, useEffect } from 'react'
import { focusHeading } from '#lib/focus.ts'
import { insist } from '#lib/late.ts'
import type { DialogProps } from './dialog-panel.tsx'
import { useBackCloses } from './use-back-closes.ts'

/** The library's part of a dialog; no first screen needs it, and it is on the device when one is opened. */
export const loadDialogPanel = () => import('./dialog-panel.tsx').then(module => module.DialogPanel)
const DialogPanel = lazy(async () => ({ default: await insist(loadDialogPanel) }))

/** A modal dialog: keeps the focus inside, closes on Escape, outside and on going back, gives the focus back. */
export function Dialog(props: DialogProps) {
  useBackCloses(props.onClose)
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true })
      // What opened it may have gone with what the dialog was about.
      if (document.activeElement === document.body) focusHeading()
    }
  }, [])
  return (
    <Suspense>
      <DialogPanel {...props} />
    </Suspense>
  )
}
