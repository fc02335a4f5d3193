import type { TFunction } from 'i18next'
import { IconVideo } from '#components/icons.ts'
import { piece } from '#components/pieces.ts'
import type { Course } from '#contract/courses.ts'

type Props = { course: Partial<Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>>; t: TFunction<'courses'> }

/** Meeting link of an online course; the server includes it only for authorized users. */
export function CourseMeeting({ course, t }: Props) {
  const { meetingURL, meetingID, meetingCode } = course
  if (!meetingURL && !meetingID && !meetingCode) return null
  return (
    <p className={piece('row', 'soft', 'small', 'ink', 'spaced')}>
      <IconVideo size={20} />
      {meetingURL && (
        <a className={piece('tap', 'over', 'bold')} href={meetingURL} target="_blank" rel="noreferrer">
          {t('card.meetingLink')}
        </a>
      )}
      {meetingID && <span>{t('card.meetingId', { value: meetingID })}</span>}
      {meetingCode && <span>{t('card.meetingCode', { value: meetingCode })}</span>}
    </p>
  )
}
