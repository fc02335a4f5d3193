import { BOOKING_STATUS } from '#contract/values.ts'
import { sql } from '#server/db/client.ts'
import type { ActHandler, Desk } from '#server/features/office/desk-service.ts'

const { Booked, Waitinglist } = BOOKING_STATUS

const active = sql`b.cancelled_at is null`

/** Who is meant; null when there is no such course, lesson, category or person. */
async function findAudience(
  { tx }: Desk,
  to: string,
  id: number,
): Promise<{ people: number[]; courses: number[]; path: string } | null> {
  const find = async (isThere: ReturnType<typeof sql>, bookings: ReturnType<typeof sql>) => {
    const { there } = await tx.one<{ there: boolean }>(sql`select exists (${isThere}) as there`)
    if (!there) return null
    const rows = await tx.query<{ id: number; course_id: number }>(sql`
      select distinct b.web_user_id as id, b.course_id from bookings b join courses c on c.id = b.course_id
      where ${active} and ${bookings} order by 1`)
    return { people: [...new Set(rows.map(row => row.id))], courses: [...new Set(rows.map(row => row.course_id))] }
  }
  const ofCourse = {
    course: sql`b.state = ${Booked}`,
    lesson: sql`b.state = ${Booked}`,
    waiting: sql`b.state = ${Waitinglist}`,
  }
  if (to === 'course' || to === 'waiting') {
    const found = await find(sql`select from courses where id = ${id}`, sql`b.course_id = ${id} and ${ofCourse[to]}`)
    return found && { ...found, courses: [id], path: `/course-details/${id}` }
  }
  if (to === 'lesson') {
    const lesson = await tx.maybeOne<{ course_id: number }>(sql`select course_id from course_dates where id = ${id}`)
    if (lesson === null) return null
    const found = await find(sql`select 1`, sql`b.course_id = ${lesson.course_id} and ${ofCourse.lesson}`)
    return found && { ...found, courses: [lesson.course_id], path: `/course-details/${lesson.course_id}` }
  }
  if (to === 'category') {
    const found = await find(
      sql`select from categories where id = ${id}`,
      sql`b.state = ${Booked} and c.category_id = ${id} and c.closes_at > clock_timestamp() and c.cancelled_at is null`,
    )
    return found && { ...found, path: '/courses/booked' }
  }
  const person = await tx.maybeOne(sql`select id from web_users where id = ${id} and deleted_at is null`)
  return person && { people: [id], courses: [], path: '/messages' }
}

/** A message to people's inboxes, and by mail where that is wanted. */
export const sendMessage: ActHandler<'send-message'> = async (desk, act) => {
  const { to, id, title, title2 = '', text = '', text2 = '', mail } = act
  const audience = await findAudience(desk, to, id)
  if (audience === null) return desk.fail(`unknown.${to}`)
  desk.concern(audience)
  desk.note({ objects: { to, id }, after: { mail: String(mail) } })
  desk.noteText([title, title2, text, text2].filter(Boolean).join('\n'))
  const wordsOf = (head: string, body: string) => ({ title: head, paragraphs: body.split(/\n{2,}/).filter(Boolean) })
  await desk.tell(audience.people, {
    words: { de: wordsOf(title, text), en: wordsOf(title2 || title, text2 || text) },
    path: audience.path,
    isMailed: mail,
  })
  return {}
}
