import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { Text } from '#components/layout.tsx'
import { styles } from '#components/styles.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { showError } from '#lib/toast.ts'
import { refreshPushState, startPush, stopPush, usePush } from '../push-store.ts'

/** Web push switch for this browser; requests permission only on a tap. */
export function PushSwitch() {
  const { t } = useTranslation('reminders')
  const state = usePush(push => push.state)
  useEffect(() => {
    refreshPushState()
  }, [])
  const change = async (act: () => Promise<void>) => {
    try {
      await withProgress(act())
    } catch (error) {
      showError(messageOf(error, t('push.failed')))
    }
  }
  const canChange = state === 'on' || state === 'off'
  return (
    <>
      <Text tone="muted" flush role="status">
        {state === 'asking' ? '\u00a0' : t(`push.${state}`)}
      </Text>
      {(canChange || state === 'asking') && (
        <Button
          className={styles({ align: 'start' })}
          disabled={!canChange}
          onClick={() => change(state === 'on' ? stopPush : startPush)}
        >
          {t(state === 'on' ? 'push.stop' : 'push.start')}
        </Button>
      )}
    </>
  )
}
