import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'

/**
 * Long lists are drawn in parts: the next one as the end comes into view.
 * @returns what is drawn, and what goes behind it
 */
export function useGrowingList<Item>(items: readonly Item[], step: number): [shown: Item[], more: ReactNode] {
  const [count, setCount] = useState(step)
  const more = items.length > count && <More onReach={() => setCount(before => before + step)} />
  return [items.slice(0, count), more]
}

/** Draws the next part when it comes into view, or is pressed. */
function More({ onReach }: { onReach: () => void }) {
  const { t } = useTranslation('office')
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  useEffect(() => {
    if (!button) return
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
