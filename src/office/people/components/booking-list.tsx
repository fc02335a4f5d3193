import { useTranslation } from 'react-i18next'
import type { BookingOfPerson, GuestLesson } from '#contract/office/people.ts'
import { formatMoney, textInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import { Box, Row, Text } from '#ui/layout.tsx'
import { formatDateTime, formatDay } from '../people-model.ts'
import { cancelBooking, moveBooking, type OfficePerson } from './person-acts.tsx'

type Props = {
  bookings: readonly BookingOfPerson[]
  /** with it, the bookings can be cancelled and moved */
  person?: Required<OfficePerson>
}

export function BookingList({ bookings, person }: Props) {
  const { t } = useTranslation(['office-people', 'office'])
  const language = useLanguage()
  return (
    <Box as="ul" bare divided>
      {bookings.map(booking => {
        const { courseId, number, name, name2, bookingStatus, position, since, endedAt, price, chargeAmount } = booking
        const courseName = textInLanguage(language, name, name2)
        const cancel = t(bookingStatus === 1 ? 'cancel.short' : 'cancel.leave')
        return (
          <Row as="li" key={`${courseId} ${since} ${endedAt}`} justify="between" py="s">
            <Box grow flush>
              <b>
                <RecordLink kind="courses" id={courseId}>
                  {courseName}
                </RecordLink>
              </b>{' '}
              <Text as="span" tone="muted" flush nowrap>
                {number}
              </Text>
              <p>
                {t(`booking.${bookingStatus}`, { position, day: formatDay(endedAt ?? since) })}
                {' · '}
                {t('booking.span', { start: formatDay(booking.start), end: formatDay(booking.end) })}
                {' · '}
                {formatMoney(price)}
                {chargeAmount > 0 && (
                  <>
                    {' · '}
                    <b>{t('office:charge.due', { sum: formatMoney(chargeAmount) })}</b>
                  </>
                )}
                {bookingStatus === 1 &&
                  booking.held > 0 &&
                  ` · ${t('booking.present', { present: booking.present, held: booking.held })}`}
              </p>
            </Box>
            {bookingStatus !== 0 && person && (
              <Row>
                {bookingStatus === 1 && (
                  <ActButton
                    look="quiet"
                    isPill
                    aria-label={t('move.label', { name: courseName })}
                    begin={() => moveBooking(person, booking)}
                  >
                    {t('move.short')}
                  </ActButton>
                )}
                <ActButton
                  look="quiet"
                  isPill
                  aria-label={`${cancel}: ${courseName}`}
                  begin={() => cancelBooking(person, booking)}
                >
                  {cancel}
                </ActButton>
              </Row>
            )}
          </Row>
        )
      })}
    </Box>
  )
}

/** Lessons of which a person is or was a guest, in a place that a seat holder freed. */
export function GuestLessonList({ lessons }: { lessons: readonly GuestLesson[] }) {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  return (
    <Box as="ul" bare divided>
      {lessons.map(({ courseId, number, name, name2, at, isPresent }) => (
        <Box as="li" py="s" flush key={`${courseId} ${at}`}>
          <b>
            <RecordLink kind="courses" id={courseId}>
              {textInLanguage(language, name, name2)}
            </RecordLink>
          </b>{' '}
          <Text as="span" tone="muted" flush nowrap>
            {number}
          </Text>
          <p>
            {t('guest.at', { at: formatDateTime(at) })}
            {isPresent !== null && ` · ${t(isPresent ? 'guest.present' : 'guest.absent')}`}
          </p>
        </Box>
      ))}
    </Box>
  )
}
