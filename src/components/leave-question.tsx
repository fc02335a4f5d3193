import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { askBeforeLeaving } from '#lib/leaving.ts'
import { goBackFromOverlay } from '#lib/overlay-history.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useBackCloses } from './use-back-closes.ts'

type Props = { title: string; text: string; confirmLabel: string; cancelLabel: string }

/** Where somebody goes who came straight to this page and goes back. */
const START = '/'
const STEP_PATIENCE_MS = 3_000

/** The path of this app that a click leads to, in this tab; null for anything else. */
function pathOf({ target, defaultPrevented, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey) return null
  if (link.target || link.hasAttribute('download') || link.origin !== window.location.origin) return null
  return link.pathname === window.location.pathname ? null : link.pathname + link.search + link.hash
}

/** Where the reader wants to go: a path, back, or what else leaves the page. */
type Way = string | 'back' | { leave: () => void }

/** While it is there, who follows a link, goes back, logs out or closes the tab is asked first: what was typed would be lost. */
export function LeaveQuestion(texts: Props) {
  const [, navigate] = useLocation()
  const [wanted, setWanted] = useState<Way | null>(null)
  const isAsking = wanted !== null
  // The step back takes away an entry that stands for what was typed, not the page.
  useBackCloses(() => setWanted('back'), !isAsking)
  useEffect(() => {
    if (isAsking) return
    const onClick = (event: MouseEvent) => {
      const path = pathOf(event)
      if (path === null) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(path)
    }
    const endAsking = askBeforeLeaving(leave => setWanted({ leave }))
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
    goBackFromOverlay()
    setTimeout(() => window.location.pathname === pathname && navigate(START), STEP_PATIENCE_MS)
  }
  return <ConfirmDialog {...texts} onConfirm={leave} onCancel={() => setWanted(null)} />
}
