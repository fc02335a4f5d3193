import { useTranslation } from 'react-i18next'
import { errorMessageOf } from '#lib/api-error.ts'
import type { ScreenResource } from '#lib/resource.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { ErrorState } from '#ui/state-panel.tsx'

/** The loading or error state, until the data has been received. */
export function LoadingState({ reading }: { reading: Pick<ScreenResource<unknown>, 'error' | 'reload'> }) {
  const { t } = useTranslation('office')
  if (reading.error) {
    const text = errorMessageOf(reading.error, t('noAnswer'))
    return <ErrorState title={t('notRead')} text={text} onRetry={reading.reload} />
  }
  return <Skeleton rows={4} height={56} />
}
