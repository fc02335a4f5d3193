import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Stack, Text } from '#components/layout.tsx'
import { useReloadOnReconnect } from '#lib/online.ts'
import { Button } from './button.tsx'
import { EmptyCourt } from './empty-court.tsx'
import { LostBall } from './lost-ball.tsx'
import classes from './state-panel.module.css'

type Props = { title: string; text?: string; children?: ReactNode }

/** Empty state with a suggestion. */
export function EmptyState({ title, text, children }: Props) {
  return (
    <Stack as="section" gap="l" flush align="center" className={classes.panel}>
      <EmptyCourt className={classes.figure} />
      <h2>{title}</h2>
      {text && <Text tone="muted">{text}</Text>}
      {children}
    </Stack>
  )
}

/** Load error with a retry button; retries automatically when the portal is reachable again. */
export function ErrorState({ title, text, onRetry, children }: Props & { onRetry: () => void }) {
  const { t } = useTranslation('shell')
  useReloadOnReconnect(onRetry, true)
  return (
    <Stack as="section" gap="l" flush align="center" className={classes.panel} role="alert">
      <LostBall className={classes.figure} />
      <h2>{title}</h2>
      {text && <Text tone="muted">{text}</Text>}
      <Button look="plain" onClick={onRetry}>
        {t('retry')}
      </Button>
      {children}
    </Stack>
  )
}
