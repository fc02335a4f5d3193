import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'

type Options = {
  /** reads what the portal still has, where it gives a list in pages */
  readOn?: (() => void) | undefined
  /** it could not be read: it waits for somebody who presses */
  isStuck?: boolean | undefined
  /** so many are drawn in any case */
  atLeast?: number
}

/** Long lists are drawn in parts, the next one as the end comes into view. @returns what is drawn, and what goes behind it */
export function useGrowingList<Item>(
  items: readonly Item[],
  step: number,
  { readOn, isStuck = false, atLeast = 0 }: Options = {},
): [shown: Item[], more: ReactNode] {
  const [wanted, setWanted] = useState(step)
  const count = Math.max(wanted, atLeast)
  const isLong = items.length > count
  const grow = () => {
    if (isLong) setWanted(count + step)
    // The last part is as much as there is: what follows is read while it is looked at.
    if (items.length <= count + step) readOn?.()
  }
  const more = (isLong || readOn) && <More onReach={grow} isByHand={isStuck && !isLong} />
  return [items.slice(0, count), more]
}

/** Draws the next part when it comes into view, or is pressed. */
function More({ onReach, isByHand }: { onReach: () => void; isByHand: boolean }) {
  const { t } = useTranslation('office')
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  useEffect(() => {
    if (!button || isByHand) return
    const watcher = new IntersectionObserver(([entry]) => entry?.isIntersecting && onReach(), { rootMargin: '600px' })
    watcher.observe(button)
    return () => watcher.disconnect()
  })
  return (
    <Button ref={setButton} look="text" onClick={onReach}>
      {t('table.more')}
    </Button>
  )
}
