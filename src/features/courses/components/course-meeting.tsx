import { useTranslation } from 'react-i18next'
import type { Course } from '#contract/endpoints/courses.ts'
import { IconVideo } from '#ui/icons.ts'
import { Row, TapTarget } from '#ui/layout.tsx'

type Props = { course: Partial<Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>> }

/** Meeting link of an online course. The server sends it only to authorized users. */
export function CourseMeeting({ course }: Props) {
  const { t } = useTranslation('courses')
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
