import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFeed } from '#contract/endpoints/calendar.ts'
import type { Language } from '#contract/values.ts'
import { createBatcher } from '#server/platform/db/batch.ts'
import { hashToken } from '#server/platform/http/token.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { toICalendar } from './model.ts'
import {
  type CalendarLessonRow,
  type CourseOfPerson,
  deleteCalendarFeed,
  findCalendarFeed,
  findFeedNonce,
  findFeedSecret,
  listAbsences,
  listFollowedBookingStarts,
  listLessons,
  listLessonsOfCourses,
  saveCalendarFeed,
} from './repository.ts'

const NONCE_BYTES = 32

/**
 * Id of this portal in the UIDs of calendar events. It is derived from the secret of the calendar feeds, because that
 * secret is moved together with the data.
 */
const portalIdOf = (secret: Buffer) =>
  createHash('sha256').update('calendar uid').update(secret).digest('hex').slice(0, 16)

const tokenOf = (secret: Buffer, nonce: Buffer) => createHmac('sha256', secret).update(nonce).digest('base64url')

/** A person's calendars in iCalendar format: the feed at a secret URL, and calendars of single courses. */
export function createCalendarService({ db, config: { publicUrl, branding } }: Pick<ServerContext, 'db' | 'config'>) {
  const addressOf = (secret: Buffer, nonce: Buffer) => ({
    url: publicUrl + readFeed.path.replace(':file', `${tokenOf(secret, nonce)}.ics`),
  })
  let portalId: string | null = null
  const write = async (content: Parameters<typeof toICalendar>[0], language: Language, title = branding.portalName) => {
    portalId ??= portalIdOf(await findFeedSecret(db))
    return toICalendar(content, { language, publicUrl, branding, portalId, title })
  }
  // Queries are batched, because a burst of booking e-mails needs many calendars at the same time.
  const findLessons = createBatcher((questions: CourseOfPerson[]) => listLessonsOfCourses(db, questions))
  return {
    async getFeed(webUserId: number): Promise<{ url: string }> {
      const nonce = await findFeedNonce(db, webUserId)
      return nonce === null ? { url: '' } : addressOf(await findFeedSecret(db), nonce)
    },

    async createFeed(webUserId: number): Promise<{ url: string }> {
      const secret = await findFeedSecret(db)
      const nonce = randomBytes(NONCE_BYTES)
      await saveCalendarFeed(db, { webUserId, nonce, tokenHash: hashToken(tokenOf(secret, nonce)) })
      return addressOf(secret, nonce)
    },

    endFeed: (webUserId: number): Promise<number> => deleteCalendarFeed(db, webUserId),

    /** @returns null for an unknown token */
    async readFeed(token: string): Promise<string | null> {
      const feed = await findCalendarFeed(db, hashToken(token))
      if (feed === null) return null
      const { webUserId, language } = feed
      const [lessons, openings, absences] = await Promise.all([
        listLessons(db, webUserId, language),
        listFollowedBookingStarts(db, webUserId),
        listAbsences(db, webUserId),
      ])
      return write({ lessons, openings, absences }, language)
    },

    writeLessons: (lessons: CalendarLessonRow[], language: Language, title: string): Promise<string> =>
      write({ lessons }, language, title),

    /** @returns null for users who neither attend nor teach the courses */
    async getCourseCalendar(webUserId: number, courseIds: number[], language: Language): Promise<string | null> {
      const lessons = (
        await Promise.all(courseIds.map(courseId => findLessons({ webUserId, courseId, language })))
      ).flat()
      return lessons.length === 0 ? null : write({ lessons }, language)
    },
  }
}
