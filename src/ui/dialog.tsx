import { lazy, Suspense, useEffect } from 'react'
import { focusHeading } from '#lib/focus.ts'
import { retryUntilLoaded } from '#lib/lazy-load.ts'
import type { DialogProps } from './dialog-panel.tsx'
import { useCloseOnBack } from './use-close-on-back.ts'

/** Loads the part of dialogs that uses Mantine. The first render of the app never needs it. */
export const loadDialogPanel = () => import('./dialog-panel.tsx').then(module => module.DialogPanel)
const DialogPanel = lazy(async () => ({ default: await retryUntilLoaded(loadDialogPanel) }))

/**
 * Modal dialog. It traps the focus, closes on Escape, outside click and back navigation, and then restores the focus.
 */
export function Dialog(props: DialogProps) {
  useCloseOnBack(props.onClose)
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      if (opener instanceof HTMLElement && opener !== document.body) opener.focus({ preventScroll: true })
      // The element that opened the dialog may have been removed.
      if (document.activeElement === document.body) focusHeading()
    }
  }, [])
  return (
    <Suspense>
      <DialogPanel {...props} />
    </Suspense>
  )
}
