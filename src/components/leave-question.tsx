import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Props = { title: string; text: string; confirmLabel: string; cancelLabel: string }

/** The path of this app that a click leads to, in this tab; null for anything else. */
function pathOf({ target, defaultPrevented, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey) return null
  if (link.target || link.hasAttribute('download') || link.origin !== window.location.origin) return null
  return link.pathname === window.location.pathname ? null : link.pathname + link.search + link.hash
}

/** While it is there, who follows a link or closes the tab is asked first: what was typed would be lost. */
export function LeaveQuestion(texts: Props) {
  const [, navigate] = useLocation()
  const [wanted, setWanted] = useState<string | null>(null)
  const isAsking = wanted !== null
  useEffect(() => {
    if (isAsking) return
    const onClick = (event: MouseEvent) => {
      const path = pathOf(event)
      if (path === null) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(path)
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    document.addEventListener('click', onClick, true)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('click', onClick, true)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [isAsking])
  if (!isAsking) return null
  return (
    <ConfirmDialog {...texts} onConfirm={() => navigate(wanted, { replace: true })} onCancel={() => setWanted(null)} />
  )
}
