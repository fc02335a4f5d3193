import type { TFunction } from 'i18next'
import type { Course } from '#contract/courses.ts'
import { IconVideo } from '#ui/icons.ts'
import { Row, TapTarget } from '#ui/layout.tsx'

type Props = { course: Partial<Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>>; t: TFunction<'courses'> }

/** Meeting link of an online course. The server sends it only to authorized users. */
export function CourseMeeting({ course, t }: Props) {
  const { meetingURL, meetingID, meetingCode } = course
  if (!meetingURL && !meetingID && !meetingCode) return null
  return (
    <Row as="p" chip size="s" tone="ink" my="m">
      <IconVideo size={20} />
      {meetingURL && (
        <TapTarget raised weight="bold" href={meetingURL} target="_blank" rel="noreferrer">
          {t('card.meetingLink')}
        </TapTarget>
      )}
      {meetingID && <span>{t('card.meetingId', { value: meetingID })}</span>}
      {meetingCode && <span>{t('card.meetingCode', { value: meetingCode })}</span>}
    </Row>
  )
}
