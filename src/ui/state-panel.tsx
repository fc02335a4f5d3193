import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useReloadOnReconnect } from '#lib/online.ts'
import { Stack, Text } from '#ui/layout.tsx'
import { Button } from './button.tsx'

import { ErrorIllustration } from './lost-ball.tsx'
import classes from './state-panel.module.css'

function EmptyCourt({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 160 96" className={className} aria-hidden>
      <g fill="none" strokeWidth="4">
        <rect x="4" y="4" width="152" height="88" rx="10" stroke="var(--link)" />
        <path d="M80 4V92" stroke="var(--link)" />
        <circle cx="80" cy="48" r="20" stroke="var(--sun)" />
        <path d="M4 24H22a24 24 0 0 1 0 48H4" stroke="var(--signal)" />
        <path d="M156 24H138a24 24 0 0 0 0 48H156" stroke="var(--line-blue)" />
      </g>
    </svg>
  )
}

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

/** Load error with a retry button. Retries automatically once the portal is reachable again. */
export function ErrorState({ title, text, onRetry, children }: Props & { onRetry: () => void }) {
  const { t } = useTranslation('shell')
  useReloadOnReconnect(onRetry, true)
  return (
    <Stack as="section" gap="l" flush align="center" className={classes.panel} role="alert">
      <ErrorIllustration className={classes.figure} />
      <h2>{title}</h2>
      {text && <Text tone="muted">{text}</Text>}
      <Button look="plain" onClick={onRetry}>
        {t('retry')}
      </Button>
      {children}
    </Stack>
  )
}
