import { useTranslation } from 'react-i18next'
import { useAsOf } from '#components/as-of-line.tsx'
import { ButtonLink } from '#components/button.tsx'
import { ErrorState } from '#components/state-panel.tsx'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { focusHeading } from '#lib/focus.ts'
import { withProgress } from '#lib/progress.ts'

async function tryAgain(): Promise<void> {
  await withProgress(useBookedCourses.load())
  // The button is removed together with the content that it loaded.
  if (document.activeElement === document.body) focusHeading()
}

/** The plan is neither cached nor available from the server: error, retry, and a link to the cached courses. */
export function PlanUnavailable({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useTranslation(['plan', 'content'])
  const count = useCourseIndex(state => state.data.length)
  const asOf = useAsOf(
    useCourseIndex(state => state.asOf),
    useCourseIndex(state => state.isStale),
  )
  return (
    <ErrorState title={t(hasFailed ? 'failed' : 'late')} text={t('missing')} onRetry={tryAgain}>
      {count > 0 && (
        <ButtonLink href="/courses">
          {t('content:home.all', { count })}
          {asOf && <small>{asOf}</small>}
        </ButtonLink>
      )}
    </ErrorState>
  )
}
