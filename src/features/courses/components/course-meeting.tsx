import { IconVideo } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { Course } from '#contract/courses.ts'
import classes from './course-meeting.module.css'

type Props = { course: Partial<Pick<Course, 'meetingURL' | 'meetingID' | 'meetingCode'>>; t: TFunction<'courses'> }

/** Where the online course meets; the server fills these only for those who may know. */
export function CourseMeeting({ course, t }: Props) {
  const { meetingURL, meetingID, meetingCode } = course
  if (!meetingURL && !meetingID && !meetingCode) return null
  return (
    <p className={classes.meeting}>
      <IconVideo size={20} aria-hidden />
      {meetingURL && (
        <a href={meetingURL} target="_blank" rel="noreferrer">
          {t('card.meetingLink')}
        </a>
      )}
      {meetingID && <span>{t('card.meetingId', { value: meetingID })}</span>}
      {meetingCode && <span>{t('card.meetingCode', { value: meetingCode })}</span>}
    </p>
  )
}
