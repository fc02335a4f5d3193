import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listPublicCourses, readOpenActive, readPublicCalendar } from '#contract/endpoints/feeds.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  insertCategory,
  insertCourse,
  insertRow,
  insertSeason,
  insertUserWithSession,
  updateCourse,
} from '#server/test/factories.ts'
import { createTestServer, openTestServer } from '#server/test/server.ts'

const INTRANET = 'https://intranet.example.com'

const server = await openTestServer({ embedOrigins: [INTRANET], publicUrl: 'https://sport.example.com' })
const categoryId = (await insertCategory(server.db, { name: 'Yoga', name2: 'Yoga' })).id
const course = await insertCourse(server.db, {
  categoryId,
  name: 'Yoga <b>',
  venue: 'Halle 2',
  city: 'Salzstadt',
  capacity: 12,
})

const plain = (path: string) => server.app.request(path)

test('the public programme allows any origin and contains visible courses without names or cookies', async () => {
  const draft = await insertSeason(server.db, { isDraft: true })
  await insertCourse(server.db, { seasonId: draft.id })
  const later = await insertSeason(server.db, { viewableFrom: new Date(Date.now() + 86_400_000) })
  await insertCourse(server.db, { seasonId: later.id })
  await insertUserWithSession(server.db)
  const { body, headers } = await server.request(listPublicCourses, { query: { categoryId: String(categoryId) } })
  expect(body).toMatchObject([{ id: course.id, category: 'Yoga', places: 12, freePlaces: 12, startTime: '18:00' }])
  expect((await server.request(listPublicCourses)).body).toHaveLength(1)
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
  const answer = await plain('/api/public/courses')
  expect(answer.headers.get('Set-Cookie')).toBeNull()
  expect((await plain('/api/session?sessionToken=x')).headers.get('Access-Control-Allow-Origin')).toBeNull()
})

test.each([
  [() => `course-${course.id}`, 'Werksport: Yoga <b>'],
  [() => `category-${categoryId}`, 'Werksport: Yoga'],
])('a public calendar is named after its content', async (name, title) => {
  const { body, status } = await server.request(readPublicCalendar, { params: { file: `${name()}.ics` } })
  expect(status).toBe(200)
  const calendar = new ICAL.Component(ICAL.parse(Buffer.from(body).toString()))
  expect(calendar.getAllSubcomponents('vevent')).toHaveLength(3)
  expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe(title)
  expect((await server.request(readPublicCalendar, { params: { file: 'course-999999.ics' } })).status).toBe(404)
})

test('a public calendar has the language of the request or of the address, and caches keep them apart', async () => {
  const fetchIn = (query: string, headers: Record<string, string>) =>
    server.app.request(`/api/public/calendar/course-${course.id}.ics${query}`, { headers })
  for (const [query, accepted, language] of [
    ['', 'de', 'de'],
    ['', 'en', 'en'],
    ['?lang=en', 'de', 'en'],
    ['?lang=de', 'en', 'de'],
  ] as const) {
    const answer = await fetchIn(query, { 'Accept-Language': accepted })
    expect([answer.headers.get('Content-Language'), answer.headers.get('Vary')]).toEqual([
      language,
      expect.stringContaining('Accept-Language'),
    ])
    expect(await answer.text()).toContain(language === 'en' ? 'Course number' : 'Kursnummer')
    const etag = answer.headers.get('ETag') ?? ''
    expect((await fetchIn(query, { 'Accept-Language': accepted, 'If-None-Match': etag })).status).toBe(304)
  }
})

test('the OpenActive feed has a last page, then reports changed and deleted courses', async () => {
  const { body } = await server.request(readOpenActive)
  expect(body.items).toHaveLength(1)
  const pageAfter = (next: string) =>
    server.request(readOpenActive, { query: Object.fromEntries(new URL(next).searchParams) })
  const end = await pageAfter(body.next)
  expect(end.body).toMatchObject({ items: [], next: body.next })

  await updateCourse(server.db, course.id, { name: 'Yoga am Abend' })
  await new Promise(resolve => setTimeout(resolve, 1_100))
  const changed = (await pageAfter(end.body.next)).body
  expect(changed.items).toMatchObject([{ state: 'updated', id: String(course.id), data: { name: 'Yoga am Abend' } }])
  await server.db.execute(sql`update seasons set is_draft = true`)
  await server.db.execute(sql`update programme set revision = revision + 1`)
  await new Promise(resolve => setTimeout(resolve, 1_100))
  const gone = (await pageAfter(changed.next)).body
  expect(gone.items).toMatchObject([{ state: 'deleted', id: String(course.id) }])
  expect(gone.items[0]).not.toHaveProperty('data')
  await server.db.execute(sql`update seasons set is_draft = false`)
  await server.db.execute(sql`update programme set revision = revision + 1`)
})

test('a process whose data are older than the feed sends no outdated course under a new timestamp', async () => {
  const createProcess = () => {
    const { app } = createApp(server.context)
    return async (search = '') =>
      (await (await app.request(`${readOpenActive.path}${search}`)).json()) as ResponseOf<typeof readOpenActive>
  }
  const readLate = createProcess()
  const { next } = await readLate()
  await updateCourse(server.db, course.id, { name: 'Yoga draußen' })
  const added = await insertCourse(server.db, { name: 'Neu' })
  // Another process updates the feed before the first one refreshes its data.
  await createProcess()()
  const { items } = await readLate(new URL(next).search)
  const seen = Object.fromEntries(items.map(({ id, state, data }) => [id, [state, data?.name]]))
  expect(seen).toEqual({ [course.id]: ['updated', 'Yoga draußen'], [added.id]: ['updated', 'Neu'] })
})

test('the OpenActive feed has the place of a lesson in a room of its own', async () => {
  const { id } = await insertCourse(server.db, { venue: 'Halle 1', city: 'Salzstadt' })
  const room = await insertRow<{ id: number }>(server.db, 'rooms', { name: 'Becken', site: 'Lindhafen' })
  await server.db.execute(sql`
    update course_dates set room_id = ${room.id} where id = (select min(id) from course_dates where course_id = ${id})`)
  const read = async () => {
    const { items } = (await server.request(readOpenActive)).body
    return items.find(item => item.id === String(id))?.data
  }
  await expect.poll(read).toMatchObject({
    location: { name: 'Halle 1', address: { addressLocality: 'Salzstadt' } },
    subEvent: [{ location: { name: 'Becken', address: { addressLocality: 'Lindhafen' } } }, {}, {}],
  })
  const { subEvent } = (await read()) as { subEvent: object[] }
  expect(subEvent.map(lesson => 'location' in lesson)).toEqual([true, false, false])
})

test('an online course has no location, and a free one is marked as free', async () => {
  const online = {
    venue: 'Online',
    city: '',
    meetingUrl: 'https://meet.example/1',
    externalFeeCents: 0,
    energyFeeCents: 0,
  }
  const { id } = await insertCourse(server.db, online)
  const read = async () => {
    const { items } = (await server.request(readOpenActive)).body
    return items.find(item => item.id === String(id))?.data
  }
  await expect.poll(read).toMatchObject({ isAccessibleForFree: true })
  expect(await read()).not.toHaveProperty('location')
})

test('the embedded list can be framed only by configured origins, has no scripts or cookies, and escapes text', async () => {
  const answer = await plain(`/embed?category=${categoryId}&lang=en`)
  const policy = answer.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain(`frame-ancestors ${INTRANET}`)
  // Proxies and scanners evaluate this header in addition to the policy.
  expect(answer.headers.get('X-Frame-Options')).toBeNull()
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('script-src')
  expect(answer.headers.get('Set-Cookie')).toBeNull()
  const html = await answer.text()
  expect(html).toContain(`https://sport.example.com/course-details/${course.id}`)
  expect(html).toContain('12 places free')
  expect(html).not.toContain('<b>')
  const closed = await createTestServer()
  try {
    expect((await closed.app.request('/embed')).headers.get('Content-Security-Policy')).toContain(
      "frame-ancestors 'none'",
    )
  } finally {
    await closed.close()
  }
})

test('the preview image of a course is rendered once, and again after the course has changed', async () => {
  const path = `/api/public/course-picture/${course.id}.png`
  const answer = await plain(path)
  const picture = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('Content-Type')).toBe('image/png')
  expect(picture.readUInt32BE(16)).toBe(1200)
  expect(picture.readUInt32BE(20)).toBe(630)
  const tag = answer.headers.get('ETag') ?? ''
  const again = await server.app.request(path, { headers: { 'If-None-Match': tag } })
  expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
  // As a cache sends it that has stored several versions, and a proxy that compresses.
  const weak = await server.app.request(path, { headers: { 'If-None-Match': `"older", W/${tag}` } })
  expect(weak.status).toBe(304)
  await updateCourse(server.db, course.id, {
    name: 'Šárka & <i>Yoga</i> für alle, die früh anfangen und lange bleiben',
  })
  const changed = await plain(path)
  expect(changed.headers.get('ETag')).not.toBe(tag)
  await updateCourse(server.db, course.id, { name: 'Herzkreislauftrainingsgrundlagenkurs' })
  expect((await plain(path)).status).toBe(200)
  for (const name of ['999999.png', 'x.png']) {
    expect((await plain(`/api/public/course-picture/${name}`)).status).toBe(404)
  }
  // Concurrent requests for many courses render only a few pictures; the others are rejected with a retry.
  const others = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => insertCourse(server.db, { categoryId, name: `Kurs ${at}` })),
  )
  const statuses = await Promise.all(
    others.map(async ({ id }) => (await plain(`/api/public/course-picture/${id}.png`)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
})
