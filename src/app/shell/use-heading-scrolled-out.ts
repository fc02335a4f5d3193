import { useEffect, useState } from 'react'

/** Height of the app bar in px. */
const BAR = 56

/** Whether the page's heading has scrolled out of view. */
export function useHeadingScrolledOut(address: string): boolean {
  const [isGone, setIsGone] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another heading
  useEffect(() => {
    const look = () => {
      const heading = document.querySelector('main h1')
      setIsGone(window.scrollY > BAR && heading !== null && heading.getBoundingClientRect().bottom < BAR)
    }
    // Runs in an animation frame, where layout happens anyway. Reading it here would force an additional layout.
    const first = requestAnimationFrame(look)
    window.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(first)
      window.removeEventListener('scroll', look)
    }
  }, [address])
  return isGone
}
