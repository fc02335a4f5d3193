import type { Language } from '#contract/values.ts'
import { formatDate } from '#contract/words.ts'
import { expiringLicences } from '#server/features/courses/lesson-repository.ts'
import { type Database, sql } from '#server/platform/db/client.ts'
import { toDateTimeValue } from '#server/platform/db/date-time.ts'
import { type NoticeDelivery, sendNotices } from '#server/platform/outbox/notices.ts'
import { translate } from '#server/platform/texts/translate.ts'

type Licence = {
  email: string
  webUserId: number | null
  licence: string
  until: string
  isOver: boolean
  lessons: number
}

function toDelivery({ email, webUserId, licence, until, isOver, lessons }: Licence): NoticeDelivery {
  const wordsIn = (language: Language) => {
    const values = { licence, day: formatDate(toDateTimeValue(until)), count: lessons }
    const say = (key: string) => translate(language, `office.notice.licence.${key}`, values).replaceAll('  ', ' ')
    return {
      title: say(isOver ? 'titleEnded' : 'title'),
      paragraphs: [say(isOver ? 'textEnded' : 'text'), say('end')],
    }
  }
  const notice = { words: { de: wordsIn('de'), en: wordsIn('en') }, path: '/courses/instructor' }
  return webUserId === null ? { people: [], addresses: [email], notice } : { people: [webUserId], notice }
}

/**
 * Reminds instructors who still teach of a licence that has ended or ends within six weeks: once for each last day.
 * Idempotent, and several servers may run it concurrently.
 * @returns number of reminders
 */
export const remindOfLicences = (db: Database): Promise<number> =>
  db.transaction(async tx => {
    const due = await tx.query<Licence>(sql`
      update instructors i set licence_reminded_for = i.licence_until from ${expiringLicences}
      where t.email = i.email and i.licence_reminded_for is distinct from i.licence_until
      returning i.email, i.licence, to_char(i.licence_until, 'YYYY-MM-DD') as until,
        i.licence_until < current_date as "isOver", t.lessons,
        (select u.id from web_users u where u.email = i.email and u.deleted_at is null) as "webUserId"`)
    await sendNotices(tx, due.map(toDelivery))
    return due.length
  })
