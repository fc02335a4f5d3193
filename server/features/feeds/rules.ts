import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import type { Course } from '#contract/endpoints/courses.ts'
import type { PublicCourse } from '#contract/endpoints/feeds.ts'
import { recordFromKeys } from '#contract/records.ts'
import { COURSE_FIELDS, PUBLIC_FIELDS } from '#contract/tables/course.ts'
import type { FieldKind } from '#contract/tables/fields.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { isHeldOnline, plainText, shortLocation } from '#contract/words.ts'
import type { FeedLesson } from './repository.ts'

/** OpenActive's activity list (github.com/openactive/activity-list, CC-BY 4.0): label and id of each activity. */
const LIST = 'https://openactive.io/activity-list'
export const openActiveActivities = v.parse(
  v.array(v.tuple([v.string(), v.string()])),
  JSON.parse(readFileSync(new URL('./activities.json', import.meta.url), 'utf8')),
)

const words = (text: string) =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
const known = openActiveActivities
  .map(([label, id]) => ({ label, id, words: words(label) }))
  .filter(activity => activity.words.length > 4)
  .sort((a, b) => b.words.length - a.words.length)
/** OpenActive activity of a course whose texts do not name an activity. */
const ANY = known.find(({ label }) => label === 'Group Exercise')

/**
 * Finds the activity named in the first text that names one, preferring the longest name, as in `Yoga for beginners`.
 */
function activityOf(texts: readonly string[]): Record<string, unknown> {
  const found = texts.flatMap(text => known.find(activity => words(text).includes(activity.words)) ?? [])[0] ?? ANY
  return { '@type': 'Concept', '@id': `${LIST}#${found?.id}`, prefLabel: found?.label, inScheme: LIST }
}

const two = (number: number) => String(number).padStart(2, '0')
const dayOf = ({ year, month, day }: DateTimeValue) => `${year}-${two(month)}-${two(day)}`
const timeOf = ({ hour, minute }: DateTimeValue) => `${two(hour)}:${two(minute)}`

const textOf = (kind: FieldKind, value: string | DateTimeValue): string =>
  typeof value === 'string' ? value : kind === 'time' ? timeOf(value) : dayOf(value)

/** Sums euro amounts without floating-point errors. */
const sum = (fee: number, energyFee: number) => Math.round((fee + energyFee) * 100) / 100

export const toPublicCourse = (course: Course, publicUrl: string): PublicCourse => ({
  id: course.id,
  ...recordFromKeys(PUBLIC_FIELDS, field => textOf(COURSE_FIELDS[field].kind, course[field])),
  category: course.courseCategory,
  category2: course.courseCategory2,
  categoryId: course.courseCategoryId,
  season: course.season,
  season2: course.season2,
  weekdays: course.weekdays,
  dates: course.dates.map(dayOf),
  price: sum(course.fee, course.energyFee),
  externalPrice: sum(course.externalFee, course.energyFee),
  places: course.participants,
  freePlaces: Math.max(0, course.participants - course.currentParticipants),
  cancelled: course.cancelled,
  url: `${publicUrl}/course-details/${course.id}`,
})

type About = {
  publicUrl: string
  organizer: string
  email: string
  phone: string
  zip: string
  region: string
  country: string
}

const minutesText = (lesson: Pick<FeedLesson, 'startsAt' | 'endsAt'>) =>
  `PT${Math.round((lesson.endsAt.getTime() - lesson.startsAt.getTime()) / 60_000)}M`
/** ISO 8601 timestamp with a precision of one second, as the OpenActive specification requires. */
const instant = (date: Date) => date.toISOString().replace(/\.\d+Z$/, 'Z')

/**
 * Converts a course to the OpenActive format. See docs/decisions/0096.
 * @param lessons future lessons; at least one
 */
export function toOpenActiveEvent(course: Course, lessons: FeedLesson[], about: About): Record<string, unknown> {
  const url = `${about.publicUrl}/course-details/${course.id}`
  const [first] = lessons
  const name = plainText(course.name)
  const description = plainText(course.textWeb) || name
  const organizer = {
    '@type': 'Organization',
    '@id': `${about.publicUrl}/`,
    name: about.organizer,
    url: `${about.publicUrl}/`,
    email: about.email,
    telephone: about.phone,
  }
  const activity = [activityOf([course.name2, course.name, course.courseCategory2, course.courseCategory])]
  const placeOf = (place: Pick<Course, 'venue' | 'city'>) => ({
    '@type': 'Place',
    '@id': `${about.publicUrl}/#place-${encodeURIComponent(shortLocation(place))}`,
    name: place.venue || place.city || about.organizer,
    address: {
      '@type': 'PostalAddress',
      streetAddress: place.venue || about.organizer,
      addressLocality: place.city || place.venue,
      addressRegion: about.region,
      // The street address is omitted, because only a venue's name and city are stored.
      postalCode: about.zip,
      addressCountry: about.country,
    },
  })
  const isOnline = isHeldOnline(course)
  const price = sum(course.externalFee, course.energyFee)
  const mode = `https://schema.org/${isOnline ? 'Online' : 'Offline'}EventAttendanceMode`
  const statusOf = (isCancelled: boolean) => `https://schema.org/Event${isCancelled ? 'Cancelled' : 'Scheduled'}`
  return {
    '@context': ['https://openactive.io/', 'https://openactive.io/ns-beta'],
    '@type': 'CourseInstance',
    '@id': `${url}#openactive`,
    identifier: course.number,
    url,
    name,
    description,
    activity,
    organizer,
    startDate: dayOf(course.start),
    endDate: dayOf(course.end),
    duration: first && minutesText(first),
    eventStatus: statusOf(course.cancelled),
    maximumAttendeeCapacity: course.participants,
    remainingAttendeeCapacity: Math.max(0, course.participants - course.currentParticipants),
    // The validator rejects a location for an online-only event.
    ...(!isOnline && { location: placeOf(course) }),
    ...(price === 0 && { isAccessibleForFree: true }),
    eventAttendanceMode: mode,
    offers: [
      {
        '@type': 'Offer',
        '@id': `${url}#offer`,
        identifier: `${course.number}-external`,
        name,
        price,
        priceCurrency: 'EUR',
        url,
      },
    ],
    subEvent: lessons.map(({ venue, city, ...lesson }) => ({
      '@type': 'Event',
      '@id': `${url}#lesson-${lesson.id}`,
      identifier: lesson.id,
      startDate: instant(lesson.startsAt),
      endDate: instant(lesson.endsAt),
      duration: minutesText(lesson),
      eventStatus: statusOf(lesson.isCancelled),
      ...(!isOnline && venue !== null && { location: placeOf({ venue, city }) }),
    })),
  }
}
