import { useTranslation } from 'react-i18next'
import { Skeleton } from '#components/skeleton.tsx'
import { ErrorState } from '#components/state-panel.tsx'
import type { Reading } from '../use-read.ts'

/** Loading or error state of a first read. */
export function ReadingState({ reading }: { reading: Omit<Reading<unknown>, 'data'> }) {
  const { t } = useTranslation('office')
  if (reading.problem) return <ErrorState title={t('notRead')} text={reading.problem} onRetry={reading.reload} />
  return <Skeleton rows={4} height={56} />
}
