import { expect, test } from 'vitest'
import { DEFAULT_REMINDERS } from '#contract/endpoints/reminders.ts'
import { savePushSubscription, saveReminders } from '#server/features/reminders/repository.ts'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { dateFromNow, insertBooking, insertCourse, insertInstructor, insertWebUser } from '#server/test/factories.ts'
import { type Notice, notifyPeople } from './notices.ts'

const { db } = await openTestDatabase()

const course = await insertCourse(db)
const words = { title: 'Verlegt', paragraphs: ['Neuer Raum'] }
const notice: Notice = { words: { de: words, en: words }, path: '/course-details/17', changedCourseIds: [course.id] }

type Changes = { mail: boolean; push: boolean }
async function insertPerson(changes: Changes | null, hasBrowser = false, isBooked = true): Promise<number> {
  const { id } = await insertWebUser(db)
  if (isBooked) await insertBooking(db, course.id, id)
  if (changes) await saveReminders(db, id, { ...DEFAULT_REMINDERS, changes })
  if (hasBrowser) await savePushSubscription(db, id, { endpoint: `https://push.example/${id}`, p256dh: 'p', auth: 'a' })
  return id
}

test('a change to a booked course is sent according to each participant’s preferences, and to every inbox', async () => {
  const people = {
    untouched: await insertPerson(null, true),
    pushed: await insertPerson({ mail: false, push: true }, true),
    both: await insertPerson({ mail: true, push: true }, true),
    neither: await insertPerson({ mail: false, push: false }, true),
    withoutBrowser: await insertPerson({ mail: false, push: true }),
    teacher: await insertPerson({ mail: false, push: false }, true, false),
    bookedTeacher: await insertPerson({ mail: false, push: false }, true),
    substitute: await insertPerson({ mail: false, push: false }),
    formerSubstitute: await insertPerson({ mail: false, push: false }),
  }
  const told = async (source: ReturnType<typeof sql>) => {
    const ids = (await db.query<{ id: number }>(source)).map(({ id }) => id)
    return Object.entries(people).flatMap(([name, id]) => (ids.includes(id) ? [name] : []))
  }
  const insertTeacher = async (id: number) => {
    const { email } = await db.one<{ email: string }>(sql`select email from web_users where id = ${id}`)
    await insertInstructor(db, { email })
    return email
  }
  const email = await insertTeacher(people.bookedTeacher)
  const [substitute, former] = [await insertTeacher(people.substitute), await insertTeacher(people.formerSubstitute)]
  await db.execute(sql`
    insert into course_dates (course_id, held_at, instructor_email) values
      (${course.id}, ${dateFromNow(2)}::date, ${substitute}), (${course.id}, ${dateFromNow(-2)}::date, ${former})`)
  await db.execute(sql`insert into course_instructors (course_id, email) values (${course.id}, ${email})`)
  await notifyPeople(db, Object.values(people), notice)
  expect(await told(sql`select web_user_id as id from mails`)).toEqual([
    'untouched',
    'both',
    'withoutBrowser',
    'teacher',
    'bookedTeacher',
    'substitute',
  ])
  expect(await told(sql`select a.web_user_id as id from alerts a join outbox o on o.alert_id = a.id`)).toEqual([
    'pushed',
    'both',
  ])
  expect(await told(sql`select web_user_id as id from inbox_items`)).toEqual(Object.keys(people))
  await db.execute(sql`delete from mails`)
  // Notices about the person rather than a course are sent regardless of the preferences.
  await notifyPeople(db, Object.values(people), { words: notice.words, path: notice.path })
  expect(await told(sql`select web_user_id as id from mails`)).toEqual(Object.keys(people))
})
