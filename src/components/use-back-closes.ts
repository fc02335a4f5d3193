import { useEffect, useRef } from 'react'

/** An overlay that has gone takes its history entry along; until that has happened no other one adds its own. */
let isGoingBack = false
let count = 0

const entryId = (): unknown => window.history.state?.overlay

/** The entry below may hold an older address: what changed meanwhile (filters) is written there before the router reads it. */
function goBackWith(address: string): void {
  isGoingBack = true
  const keepAddress = () => {
    isGoingBack = false
    window.history.replaceState(window.history.state, '', address)
  }
  window.addEventListener('popstate', keepAddress, { capture: true, once: true })
  window.history.back()
}

/**
 * Going back (button, swipe) closes what lies over the page, and stays on the page. Links inside navigate with `replace`: they
 * take the place of the entry that this adds.
 */
export function useBackCloses(onClose: () => void): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const id = `${Date.now()}-${++count}`
    let isOnTop = false
    const push = () => {
      if (isGoingBack) {
        timer = setTimeout(push, 10)
        return
      }
      window.history.pushState({ ...window.history.state, overlay: id }, '')
      isOnTop = true
    }
    // Later: what is mounted twice at once (strict mode) adds one entry.
    let timer = setTimeout(push)
    let address = window.location.href
    const onBack = () => {
      if (!isOnTop || entryId() === id) return
      isOnTop = false
      window.history.replaceState(window.history.state, '', address)
      close.current()
    }
    // The router tells of each change; the address before the step back is the one to keep.
    const note = () => {
      if (entryId() === id) address = window.location.href
    }
    window.addEventListener('popstate', onBack, true)
    for (const change of ['pushState', 'replaceState']) window.addEventListener(change, note)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('popstate', onBack, true)
      for (const change of ['pushState', 'replaceState']) window.removeEventListener(change, note)
      if (isOnTop && entryId() === id) goBackWith(window.location.href)
    }
  }, [])
}
