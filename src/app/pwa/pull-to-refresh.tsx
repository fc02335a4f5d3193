import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadCourse, useCourseIndex } from '#features/courses/resource.ts'
import { refetchAll } from '#lib/resource.ts'
import { Surface } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import classes from './prompt.module.css'

/** Pull distance in px that triggers a refresh, and the maximum offset of the indicator. */
const FAR = 96
const TOLD_MS = 2_500

/**
 * Refetches all visible data.
 * @returns whether the server responded
 */
async function refresh(): Promise<boolean> {
  const [, id] = /^\/course-details\/(\d+)$/.exec(window.location.pathname) ?? []
  // The list, which is fetched concurrently, reports if the course has been deleted.
  const course = id ? loadCourse(Number(id)).catch(() => undefined) : null
  await Promise.all([refetchAll('asked'), course])
  return !useCourseIndex.getState().isStale
}

/** Pull-to-refresh for the installed app, where the browser's own is disabled (prompt.module.css). */
export function PullToRefresh() {
  const { t } = useTranslation('offline')
  const sign = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<'idle' | 'pulling' | 'refreshing' | 'refreshed' | 'failed'>('idle')

  useEffect(() => {
    const leaving = new AbortController()
    let from: { x: number; y: number } | null = null
    let pulled = 0
    let isBusy = false
    let told: ReturnType<typeof setTimeout> | undefined
    const follow = (distance: number) => {
      pulled = distance
      sign.current?.style.setProperty('translate', `0 ${Math.min(distance, FAR)}px`)
    }
    const start = ({ touches: [touch, more] }: TouchEvent) => {
      const isFree = !isBusy && touch && !more && window.scrollY <= 0 && !document.querySelector('[role="dialog"]')
      from = isFree ? { x: touch.clientX, y: touch.clientY } : null
    }
    const pull = ({ touches: [touch] }: TouchEvent) => {
      if (!from || !touch) return
      const [aside, down] = [Math.abs(touch.clientX - from.x), touch.clientY - from.y]
      // The page is scrolled or the movement is horizontal, so this is a different gesture.
      if (window.scrollY > 0 || (pulled === 0 && (down < 0 || aside > down))) from = null
      if (from) setState('pulling')
      follow(from ? Math.max(0, down) / 2 : 0)
    }
    const end = async () => {
      const isFar = from !== null && pulled >= FAR / 2
      const wasPulling = pulled > 0
      from = null
      follow(isFar ? FAR / 2 : 0)
      if (!isFar) return wasPulling && setState('idle')
      clearTimeout(told)
      isBusy = true
      setState('refreshing')
      const isRefreshed = await refresh()
      isBusy = false
      setState(isRefreshed ? 'refreshed' : 'failed')
      told = setTimeout(() => {
        follow(0)
        setState('idle')
      }, TOLD_MS)
    }
    const options = { passive: true, signal: leaving.signal }
    document.addEventListener('touchstart', start, options)
    document.addEventListener('touchmove', pull, options)
    document.addEventListener('touchend', end, options)
    document.addEventListener('touchcancel', end, options)
    return () => {
      clearTimeout(told)
      leaving.abort()
    }
  }, [])

  return (
    <div role="status" data-fleeting>
      <Surface ref={sign} className={classes.pull} hidden={state === 'idle'}>
        {state === 'pulling' || state === 'refreshing' ? (
          <span className={styles({ base: 'spinner' })} aria-hidden />
        ) : (
          t(state)
        )}
        {state === 'refreshing' && <span className="visually-hidden">{t('refreshing')}</span>}
      </Surface>
    </div>
  )
}
