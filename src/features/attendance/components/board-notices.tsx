import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { CourseChanges } from '#features/courses/components/course-changes.tsx'
import { useSession } from '#features/session/store.ts'
import { daysUntil } from '#lib/format.ts'
import { useOnline } from '#lib/online.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { ButtonLink } from '#ui/button.tsx'
import { CardBody, Notice, Text } from '#ui/layout.tsx'
import { EmptyState } from '#ui/state-panel.tsx'
import type { findPendingCompletionEntry } from '../model.ts'
import type { StoredAttendanceList } from '../outbox/list-rows.ts'
import { needsDecision } from '../outbox/records.ts'
import type { useAttendanceActions } from '../use-attendance-actions.ts'
import { AttendanceAnnouncer } from './attendance-announcer.tsx'
import { RejectedChange } from './rejected-change.tsx'

type AnnouncerProps = {
  userId: number
  summary: string
  unsent: number
  refused: number
  /** why attendance cannot be changed */
  locked: string | undefined
}

/** Announces the state of the list to screen readers in full sentences. */
export function BoardAnnouncer({ userId, summary, unsent, refused, locked }: AnnouncerProps) {
  const { t } = useTranslation('attendance')
  const texts = [
    summary,
    unsent > 0 && t('announce.unsent', { count: unsent }),
    refused > 0 && t('outbox.refused', { count: refused }),
    locked,
  ]
  const sentences = texts.filter(text => typeof text === 'string').map(text => text.replace(/\.?$/, '.'))
  return <AttendanceAnnouncer userId={userId} text={sentences.join(' ')} />
}

type NoticesProps = { list: StoredAttendanceList; cancelled: Course['changes']; today: number }

/** Notices that an instructor should read before recording attendance. */
export function BoardNotices({ list, cancelled, today }: NoticesProps) {
  return (
    <>
      {cancelled.some(({ at }) => daysUntil(at, today) === 0) && <CourseChanges course={{ changes: cancelled }} />}
      <TemporarySessionNotice courseId={list.courseId} />
      {list.message && <CardBody as="p">{list.message}</CardBody>}
    </>
  )
}

type RejectedProps = Pick<ReturnType<typeof useAttendanceActions>, 'decide'> & {
  completion: NonNullable<ReturnType<typeof findPendingCompletionEntry>>
}

/** Shown when the server has refused to close or reopen the attendance. The instructor decides what to do next. */
export function RejectedCompletion({ completion, decide }: RejectedProps) {
  const { t } = useTranslation('attendance')
  if (!needsDecision(completion)) return null
  return (
    <RejectedChange
      name={t('close')}
      reason={completion.lastError}
      markAtServer={null}
      onDecide={decision => decide(completion, decision)}
    />
  )
}

type EmptyProps = { list: StoredAttendanceList; hasRows: boolean; search: string }

/** @param search search text, if it matches no participant */
export function EmptyList({ list, hasRows, search }: EmptyProps) {
  const { t } = useTranslation('attendance')
  if (list.courseDates.length === 0) return <EmptyState title={t('noDates')} />
  if (!hasRows) return <EmptyState title={t('noParticipants')} />
  return search && <CardBody as="p">{t('nobody', { search })}</CardBody>
}

/** Offers to stay logged in, because changes made offline can be sent only while the session lasts. */
function TemporarySessionNotice({ courseId }: { courseId: number }) {
  const { t } = useTranslation('attendance')
  const isTemporary = useSession(state => state.session?.keepSession === false)
  const isOnline = useOnline(state => state.isOnline)
  const next = `/course-participation/${courseId}?${useQueryString()}`
  if (!isOnline || !isTemporary) return null
  return (
    <Notice as="div" layout="row">
      <Text as="span" grow>
        {t('instructor.notKept')}
      </Text>
      <ButtonLink href={`/login?renew&next=${encodeURIComponent(next)}`} look="plain">
        {t('instructor.keep')}
      </ButtonLink>
    </Notice>
  )
}
