import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Box, Card, IconButton, Text } from '#ui/layout.tsx'
import { IconX } from '#ui/shell-icons.ts'
import { dismissCompletedAct, undoAct, useActs } from '../act-store.ts'
import { ImpactSummary } from './impact-summary.tsx'

/**
 * Bar with the last completed action, the people who must be called, and an undo button. The element always exists,
 * because it is a live region.
 */
export function CompletedActBar() {
  const { t } = useTranslation('office')
  const done = useActs(state => state.done)
  return (
    <Box hideEmpty role="status">
      {done && (
        <Card status="success" mb="xl" layout="row" aria-label={t('done.title')}>
          <Box grow>
            <Text variant="name" weight="bold" flush>
              {t('done.title')}: {[done.title, done.about].filter(Boolean).join(' · ')}
            </Text>
            <ImpactSummary consequences={done.answer.consequences} />
          </Box>
          {done.undo && (
            <>
              {done.answer.consequences.mails > 0 && <HeldMails key={done.actId} until={done.heldUntil} />}
              <Button look="plain" isPill onClick={() => void undoAct(done, t('done.undone'))}>
                {t('done.undo')}
              </Button>
            </>
          )}
          <IconButton type="button" aria-label={t('done.close')} onClick={dismissCompletedAct}>
            <IconX />
          </IconButton>
        </Card>
      )}
    </Box>
  )
}

/**
 * Remaining seconds during which e-mails are held back. Hidden from screen readers, which would announce every second.
 */
function HeldMails({ until }: { until: number }) {
  const { t } = useTranslation('office')
  const [now, setNow] = useState(() => performance.now())
  const seconds = Math.ceil((until - now) / 1000)
  const isHeld = seconds > 0
  useEffect(() => {
    if (!isHeld) return
    const timer = setInterval(() => setNow(performance.now()), 1000)
    return () => clearInterval(timer)
  }, [isHeld])
  return (
    isHeld && (
      <Text as="span" size="s" aria-hidden>
        {t('done.held', { seconds })}
      </Text>
    )
  )
}
