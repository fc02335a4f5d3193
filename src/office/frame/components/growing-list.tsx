import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'

type Options = {
  /** fetches the next page from the server */
  readOn?: (() => void) | undefined
  /** whether fetching has failed; the user must then start the next attempt */
  isStuck?: boolean | undefined
  /** minimum number of rendered items */
  atLeast?: number
}

/**
 * Renders long lists in steps as the user scrolls.
 * @returns the rendered items, and a button at the end of the list that renders more
 */
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
    // Fetches the next page while the last loaded items are visible.
    if (items.length <= count + step) readOn?.()
  }
  const more = (isLong || readOn) && <More onReach={grow} isByHand={isStuck && !isLong} />
  return [items.slice(0, count), more]
}

/** Button that renders more items when it is pressed or scrolls into view. */
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
