import ical, { ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import type { Branding } from '#contract/endpoints/branding.ts'
import type { Language } from '#contract/values.ts'
import { fullLocation, isHeldOnline, nameInLanguage } from '#contract/words.ts'
import { translate } from '#server/platform/texts/translate.ts'
import type { AbsenceRow, BookingStartRow, CalendarLessonRow } from './repository.ts'

const OPENING_MS = 15 * 60_000
const DAY_MS = 86_400_000

type Content = { lessons: CalendarLessonRow[]; openings?: BookingStartRow[]; absences?: AbsenceRow[] }

type Portal = {
  language: Language
  publicUrl: string
  branding: Branding
  /** makes the UIDs of events unique; stays the same when the portal's URL changes */
  portalId: string
  title: string
}

/**
 * Writes lessons as an iCalendar file. Events use UTC times and no recurrence rules, so no VTIMEZONE is needed. See
 * docs/decisions/0077. There is no METHOD, because it would require an ORGANIZER, with which programs ask for a reply.
 */
export function toICalendar(
  { lessons, openings = [], absences = [] }: Content,
  { language, publicUrl, branding, portalId, title }: Portal,
): string {
  const say = (key: string, values: Record<string, string | number> = {}) =>
    translate(language, `calendar.${key}`, values)
  const calendar = ical({
    name: title,
    prodId: { company: branding.name, product: branding.portalName, language: language.toUpperCase() },
    ttl: 3600,
  })
  for (const lesson of lessons) {
    const name = nameInLanguage(language, lesson)
    const url = `${publicUrl}/course-details/${lesson.courseId}`
    const state = lesson.isCancelled ? 'cancelled' : lesson.isWaiting ? 'waiting' : 'sure'
    const notes = [
      state === 'sure' ? lesson.placeId && say('note.guest') : say(`note.${state}`),
      say('number', { number: lesson.number }),
      lesson.meetingUrl,
      lesson.meetingId && `${translate(language, 'mail.facts.meetingID')}: ${lesson.meetingId}`,
      lesson.meetingCode && `${translate(language, 'mail.facts.meetingCode')}: ${lesson.meetingCode}`,
      url,
    ]
    calendar.createEvent({
      // A guest on the waiting list has both events: the lesson as on the waiting list, and the place.
      id: lesson.placeId ? `place-${lesson.placeId}@${portalId}` : `lesson-${lesson.id}@${portalId}`,
      start: lesson.startsAt,
      end: lesson.endsAt,
      stamp: lesson.changedAt,
      sequence: lesson.sequence,
      summary: say(`title.${state}`, { name }),
      location: (isHeldOnline(lesson) && lesson.meetingUrl) || fullLocation(lesson, language),
      description: notes.filter(Boolean).join('\n'),
      url,
      status: {
        cancelled: ICalEventStatus.CANCELLED,
        waiting: ICalEventStatus.TENTATIVE,
        sure: ICalEventStatus.CONFIRMED,
      }[state],
      transparency: state === 'sure' ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
    })
  }
  for (const opening of openings) {
    const url = `${publicUrl}/${opening.kind === 'course' ? `course-details/${opening.id}` : 'courses'}`
    calendar.createEvent({
      id: `opening-${opening.kind}-${opening.id}-${opening.opensAt.getTime() / 1000}@${portalId}`,
      start: opening.opensAt,
      end: new Date(opening.opensAt.getTime() + OPENING_MS),
      stamp: opening.followedAt,
      summary: say('opening.title', { name: nameInLanguage(language, opening) }),
      // Without the number of courses: it changes, and programs replace an event only by one with a higher SEQUENCE.
      description: [say('opening.note'), url].join('\n'),
      url,
      status: ICalEventStatus.CONFIRMED,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  for (const { id, from, to } of absences)
    calendar.createEvent({
      id: `absence-${id}@${portalId}`,
      // All-day events contain only dates, so UTC can be used. The end is exclusive.
      start: new Date(`${from}T00:00:00Z`),
      end: new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS),
      allDay: true,
      // An absence is never changed, only replaced. Any constant keeps the feed's ETag.
      stamp: new Date(`${from}T00:00:00Z`),
      timezone: 'UTC',
      summary: say('absence.title'),
      description: say('absence.note'),
      status: ICalEventStatus.CONFIRMED,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  // RFC 5545: every line ends with CRLF, also the last one.
  return `${calendar.toString()}\r\n`
}
