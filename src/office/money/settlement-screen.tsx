import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { nameInLanguage } from '#contract/words.ts'
import { useSession } from '#features/session/store.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { hasAnyRight } from '#office/frame/model.ts'
import { SettlementActions, SettlementLines, SettlementState } from './components/course-settlement.tsx'

/** Settlement of a course: what each participant is charged, and the data on which this is based. */
export function SettlementScreen({ last }: { last: string }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const reading = useResource('getSettlement', { params: { id: Number(last) } })
  const mayOpen = useSession(state => hasAnyRight(state.session?.rights ?? [], ['programme', 'bookings']))
  const read = reading.data
  if (read === null) return <LoadingState reading={reading} />
  return (
    <OfficePage
      title={`${read.number} ${nameInLanguage(language, read)}`}
      lead={
        <>
          <SettlementState read={read} />
          {mayOpen && (
            <>
              {' · '}
              <Link href={`/office/courses/${read.courseId}`}>{t('course.toCourse')}</Link>
            </>
          )}
        </>
      }
      actions={<SettlementActions read={read} />}
    >
      <SettlementLines read={read} />
    </OfficePage>
  )
}
