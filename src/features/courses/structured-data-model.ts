import type { Course } from '#contract/endpoints/courses.ts'
import type { DateTimeValue, Language } from '#contract/values.ts'
import { formatTime, isHeldOnline, plainText, shortLocation } from '#contract/words.ts'
import { branding } from '#lib/branding.ts'
import { instantOfLocalTimeMs, toLocalTimeMs } from '#lib/format.ts'
import { localizedTextsOf } from './model.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

const isoOf = (date: DateTimeValue, { hour, minute }: DateTimeValue) =>
  new Date(instantOfLocalTimeMs(toLocalTimeMs({ ...date, hour, minute, second: 0 }))).toISOString()
const dayOf = ({ year, month, day }: DateTimeValue) =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)

type About = { name: string; description: string; provider: string; language: Language; url: string }

const availabilityOf = ({ cancelled, seasonBookable, participants, currentParticipants }: Course) => {
  if (cancelled) return 'https://schema.org/Discontinued'
  return `https://schema.org/${!seasonBookable ? 'PreOrder' : participants > currentParticipants ? 'InStock' : 'SoldOut'}`
}

/** Schema.org description of a course: the course, its instance, and that instance as an event. */
export function courseSchema(course: Course, { name, description, provider, language, url }: About) {
  const organization = { '@type': 'Organization', name: provider, url: new URL('/', url).href }
  const venue = shortLocation(course)
  const isOnline = isHeldOnline(course)
  const location = isOnline
    ? { '@type': 'VirtualLocation', url }
    : { '@type': 'Place', name: course.venue || venue, address: course.city || venue }
  const price = course.externalFee + course.energyFee
  const offers = {
    '@type': 'Offer',
    // Visitors from search engines may be external participants, so this is the highest price, including all fees.
    price,
    priceCurrency: 'EUR',
    category: price > 0 ? 'Paid' : 'Free',
    availability: availabilityOf(course),
    url,
  }
  const run = {
    name,
    description,
    startDate: isoOf(course.start, course.startTime),
    endDate: isoOf(course.end, course.endTime),
    location,
    offers,
  }
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Course',
        '@id': `${url}#course`,
        name,
        description,
        url,
        courseCode: course.number,
        inLanguage: language,
        provider: organization,
        offers,
        hasCourseInstance: {
          '@type': 'CourseInstance',
          ...run,
          courseMode: isOnline ? 'Online' : 'Onsite',
          courseSchedule: {
            '@type': 'Schedule',
            byDay: course.weekdays.map(day => `https://schema.org/${DAYS[day]}`),
            startDate: dayOf(course.start),
            endDate: dayOf(course.end),
            startTime: formatTime(course.startTime),
            endTime: formatTime(course.endTime),
            repeatFrequency: 'P1W',
            ...(course.dates.length > 0 ? { repeatCount: course.dates.length } : {}),
          },
        },
      },
      {
        '@type': 'Event',
        '@id': `${url}#event`,
        ...run,
        organizer: organization,
        maximumAttendeeCapacity: course.participants,
        eventStatus: `https://schema.org/${course.cancelled ? 'EventCancelled' : 'EventScheduled'}`,
      },
    ],
  }
}

/**
 * JSON-LD of a course in one language, as the content of a `script` element.
 * @param origin of the portal's URL
 */
export function structuredDataOf(course: Course, language: Language, origin: string): string {
  const { name, teaser } = localizedTextsOf(course, language)
  const schema = courseSchema(course, {
    name,
    description: plainText(teaser) || name,
    provider: branding.name,
    language,
    url: `${origin}/course-details/${course.id}`,
  })
  // In HTML, `</script>` would end the element.
  return JSON.stringify(schema).replaceAll('<', '\\u003c')
}
