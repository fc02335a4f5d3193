import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { goBack } from '#lib/overlay-history.ts'
import { confirmBeforeLeaving } from '#lib/unload-guard.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useCloseOnBack } from './use-close-on-back.ts'

type Props = { title: string; text: string; confirmLabel: string; cancelLabel: string }

/** Where back navigation leads if the page was opened by an external link. */
const START = '/'
const STEP_PATIENCE_MS = 3_000

/** The path within the app that a click on a link opens in this tab; null for all other clicks. */
function pathOf({ target, defaultPrevented, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey) return null
  if (link.target || link.hasAttribute('download') || link.origin !== window.location.origin) return null
  return link.pathname === window.location.pathname ? null : link.pathname + link.search + link.hash
}

/** Pending navigation: to a path, back, or another action that leaves the page. */
type Way = string | 'back' | { leave: () => void }

/**
 * While mounted, following a link, going back, logging out and closing the tab require confirmation, to protect unsaved
 * input.
 */
export function UnsavedChangesGuard(texts: Props) {
  const [, navigate] = useLocation()
  const [wanted, setWanted] = useState<Way | null>(null)
  const isAsking = wanted !== null
  // Going back removes the history entry that was added for unsaved input, but does not leave the page.
  useCloseOnBack(() => setWanted('back'), !isAsking)
  useEffect(() => {
    if (isAsking) return
    const onClick = (event: MouseEvent) => {
      const path = pathOf(event)
      if (path === null) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(path)
    }
    const endAsking = confirmBeforeLeaving(leave => setWanted({ leave }))
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('click', onClick, true)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      endAsking()
      document.removeEventListener('click', onClick, true)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isAsking])
  if (!isAsking) return null
  const leave = () => {
    if (typeof wanted === 'object') {
      setWanted(null)
      return wanted.leave()
    }
    if (wanted !== 'back') return navigate(wanted)
    const { pathname } = window.location
    goBack(true)
    setTimeout(() => window.location.pathname === pathname && navigate(START), STEP_PATIENCE_MS)
  }
  return <ConfirmDialog {...texts} onConfirm={leave} onCancel={() => setWanted(null)} />
}
