import { useEffect, useState } from 'react'

/** The height of the bar, px. */
const BAR = 56

/** Whether the page's heading lies above what is seen. */
export function useHeadingGone(address: string): boolean {
  const [isGone, setIsGone] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another heading
  useEffect(() => {
    const look = () => {
      const heading = document.querySelector('main h1')
      setIsGone(window.scrollY > BAR && heading !== null && heading.getBoundingClientRect().bottom < BAR)
    }
    // With the frame, which lays the page out anyway: asked for here, it would be laid out once more for this alone.
    const first = requestAnimationFrame(look)
    window.addEventListener('scroll', look, { passive: true })
    return () => {
      cancelAnimationFrame(first)
      window.removeEventListener('scroll', look)
    }
  }, [address])
  return isGone
}
