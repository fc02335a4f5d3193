import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProgress } from '#lib/progress.ts'
import { Stack } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import classes from './loader.module.css'

/** Shorter waits show no loader, because a flash would be distracting. */
const DELAY_MS = 300

export function Loader() {
  const { t } = useTranslation('shell')
  const isRunning = useProgress(state => state.running > 0)
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    if (!isRunning) return setIsShown(false)
    const timer = setTimeout(() => setIsShown(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [isRunning])
  return (
    <div role="status" data-fleeting>
      {isShown && (
        <Stack variant="name" tone="ink" gap="l" align="center" className={classes.loader}>
          <span className={styles({ base: 'spinner', size: 'xl' })} aria-hidden />
          {t('loading')}
        </Stack>
      )}
    </div>
  )
}
