import { expect, test } from 'vitest'
import { listAlbums, listParticipatedAlbums, listPhotos } from '#contract/endpoints/gallery.ts'
import { logout } from '#contract/endpoints/session.ts'
import { insertFileContent } from '#server/features/files/repository.ts'
import { sql } from '#server/platform/db/client.ts'
import {
  insertBooking,
  insertCourse,
  insertInstructorWithSession,
  insertSession,
  insertTick,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const PUBLIC_ALBUM = 1
const PRIVATE_ALBUM = 2

const server = await openTestServer()
const instructor = await insertInstructorWithSession(server.db)
const colleague = await insertInstructorWithSession(server.db)
const participant = await insertUserWithSession(server.db)
const waiting = await insertUserWithSession(server.db)
const leaver = await insertUserWithSession(server.db)
const stranger = await insertUserWithSession(server.db)

const insertPicture = (text: string) => insertFileContent(server.db, 'image/webp', Buffer.from(text))

async function insertAlbum(id: number, courseId: number | null, thumbnail: string) {
  await server.db.execute(sql`
    insert into albums (id, name, name2, thumbnail_file_name, thumbnail_sha256, course_id, is_individual_course)
    values (${id}, ${`Album ${id}`}, ${`Album no. ${id}`}, ${thumbnail}, ${await insertPicture(`thumbnail ${thumbnail}`)},
      ${courseId}, ${courseId !== null})`)
}

async function insertPhoto(
  albumId: number,
  fileName: string,
  { sortOrder = 1, shotAt = null, text = fileName }: { sortOrder?: number; shotAt?: string | null; text?: string } = {},
) {
  await server.db.execute(sql`
    insert into photos (album_id, file_name, sort_order, shot_at, photo_sha256, thumbnail_sha256)
    values (${albumId}, ${fileName}, ${sortOrder}, ${shotAt}, ${await insertPicture(`photo ${text}`)},
      ${await insertPicture(`thumbnail ${text}`)})`)
}

const course = await insertCourse(server.db, { capacity: 1, instructorEmails: [instructor.email] })
await insertBooking(server.db, course.id, participant.id)
await insertBooking(server.db, course.id, waiting.id)
await insertBooking(server.db, course.id, leaver.id, { state: 1, cancelledAt: new Date() })
await insertBooking(server.db, (await insertCourse(server.db)).id, (await insertWebUser(server.db)).id)
await insertAlbum(PUBLIC_ALBUM, null, 'fest-b.webp')
await insertAlbum(PRIVATE_ALBUM, course.id, 'kurs 1.webp')
await insertPhoto(PUBLIC_ALBUM, 'fest-c.webp', { sortOrder: 2 })
await insertPhoto(PUBLIC_ALBUM, 'fest-b.webp', { shotAt: '2026-09-12 14:30' })
await insertPhoto(PUBLIC_ALBUM, 'fest-a.webp', { sortOrder: 2 })
await insertPhoto(PRIVATE_ALBUM, 'kurs 1.webp')
await insertPhoto(PRIVATE_ALBUM, 'fest-a.webp', { sortOrder: 2, text: 'of the course' })

const photosOf = (albumId: number, token?: string) =>
  server.request(listPhotos, { params: { albumId }, ...(token && { token }) })
const fetchFile = (path: string, init?: RequestInit) => server.app.request(path, init)

test('visitors see only public albums', async () => {
  const { body } = await server.request(listAlbums)
  expect(body).toMatchObject([{ id: PUBLIC_ALBUM, name2: 'Album no. 1', thumbnailFileName: 'fest-b.webp' }])
  expect((await photosOf(PUBLIC_ALBUM)).body).toEqual([
    {
      fileName: 'fest-b.webp',
      sortOrder: 1,
      shootingdate: { year: 2026, month: 9, day: 12, hour: 14, minute: 30, second: 0 },
    },
    expect.objectContaining({ fileName: 'fest-a.webp', sortOrder: 2 }),
    expect.objectContaining({ fileName: 'fest-c.webp', sortOrder: 2 }),
  ])
})

test('booked participants see the album of their course; waiting, cancelled and other people do not', async () => {
  const albumsOf = async ({ token }: { token: string }) =>
    (await server.request(listParticipatedAlbums, { token })).body.map(({ id }) => id)
  expect(await albumsOf(participant)).toEqual([PRIVATE_ALBUM])
  for (const person of [waiting, leaver, stranger, instructor, colleague]) expect(await albumsOf(person)).toEqual([])
  expect((await server.request(listParticipatedAlbums)).status).toBe(401)
})

test('who was present at a lesson sees the album of the course also without a seat, as after its cancellation', async () => {
  const { id: courseDateId } = await server.db.one<{ id: number }>(sql`
    select min(id) as id from course_dates where course_id = ${course.id}`)
  const [guest, absent] = [await insertUserWithSession(server.db), await insertUserWithSession(server.db)]
  for (const [{ id: webUserId }, isPresent] of [
    [guest, true],
    [absent, false],
  ] as const)
    await insertTick(server.db, { courseDateId, webUserId, isPresent, recordedBy: null })
  for (const [{ token }, albums, status] of [
    [guest, [PRIVATE_ALBUM], 200],
    [absent, [], 403],
  ] as const) {
    expect((await server.request(listParticipatedAlbums, { token })).body.map(({ id }) => id)).toEqual(albums)
    expect((await photosOf(PRIVATE_ALBUM, token)).status).toBe(status)
  }
})

test('only the participants and the instructor of the course can list the photos of a private album', async () => {
  expect((await photosOf(PRIVATE_ALBUM, participant.token)).status).toBe(200)
  expect((await photosOf(PRIVATE_ALBUM, instructor.token)).status).toBe(200)
  const substitute = await insertInstructorWithSession(server.db)
  expect((await photosOf(PRIVATE_ALBUM, substitute.token)).status).toBe(403)
  await server.db.execute(sql`
    update course_dates set instructor_email = ${substitute.email}
    where id = (select min(id) from course_dates where course_id = ${course.id})`)
  expect((await photosOf(PRIVATE_ALBUM, substitute.token)).status).toBe(200)
  for (const person of [waiting, leaver, stranger, colleague])
    expect((await photosOf(PRIVATE_ALBUM, person.token)).status).toBe(403)
  expect((await photosOf(PRIVATE_ALBUM)).status).toBe(401)
  expect((await photosOf(99)).status).toBe(404)
  expect((await photosOf(99, stranger.token)).status).toBe(404)
})

test('a private photo is served only under its signed name', async () => {
  const [photo] = (await photosOf(PRIVATE_ALBUM, participant.token)).body
  const [album] = (await server.request(listParticipatedAlbums, { token: participant.token })).body
  const fileName = photo?.fileName ?? ''
  for (const path of [`/photos/${fileName}`, `/photos/${encodeURIComponent(fileName)}`]) {
    const answer = await fetchFile(path)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('photo kurs 1.webp')
    expect(answer.headers.get('Cache-Control')).toMatch(/^private/)
    expect(answer.headers.get('Content-Disposition')).toBe(
      `inline; filename="kurs 1.webp"; filename*=UTF-8''kurs%201.webp`,
    )
  }
  expect((await fetchFile(`/thumbnails/${encodeURIComponent(album?.thumbnailFileName ?? '')}`)).status).toBe(200)
  const forged = fileName.replace(/^~./, first => (first === '~A' ? '~B' : '~A'))
  for (const name of ['kurs 1.webp', forged, '~~kurs 1.webp']) {
    for (const folder of ['photos', 'thumbnails'])
      expect((await fetchFile(`/${folder}/${encodeURIComponent(name)}`)).status, name).toBe(404)
  }
})

const signedNames = async (token: string) =>
  (await photosOf(PRIVATE_ALBUM, token)).body.map(({ fileName }) => encodeURIComponent(fileName))
const statusOf = async (name: string) => (await fetchFile(`/photos/${name}`)).status

test('a private photo is never served for a public one of the same name, nor vice versa', async () => {
  const open = await fetchFile('/photos/fest-a.webp', { headers: { Cookie: 'XSRF-TOKEN=a' } })
  expect(open.headers.get('Cache-Control')).toMatch(/^public/)
  expect(await open.text()).toBe('photo fest-a.webp')
  const [, own = ''] = await signedNames(participant.token)
  expect(await (await fetchFile(`/photos/${own}`)).text()).toBe('photo of the course')
  expect(await (await fetchFile(`/thumbnails/${own}`)).text()).toBe('thumbnail of the course')
  expect(await (await fetchFile('/thumbnails/fest-a.webp')).text()).toBe('thumbnail fest-a.webp')
})

test('the signed name of a private photo expires with its session', async () => {
  const again = await insertSession(server.db, participant.id)
  const [first = ''] = await signedNames(participant.token)
  const [second = ''] = await signedNames(again)
  expect(second).not.toBe(first)
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])
  await server.request(logout, { token: again })
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 404])
})

test('the signed name of a private photo expires with the booking of the course', async () => {
  const guest = await insertUserWithSession(server.db)
  const { course_id: courseId } = await server.db.one<{ course_id: number }>(sql`
    select course_id from albums where id = ${PRIVATE_ALBUM}`)
  await insertBooking(server.db, courseId, guest.id, { state: 1 })
  const [name = ''] = await signedNames(guest.token)
  expect(await statusOf(name)).toBe(200)
  await server.db.execute(sql`update bookings set cancelled_at = clock_timestamp() where web_user_id = ${guest.id}`)
  expect(await statusOf(name)).toBe(404)
})

test('a picture in no album is 404', async () => {
  await insertPhoto(PUBLIC_ALBUM, 'alt.webp', { sortOrder: 9 })
  await server.db.execute(sql`delete from photos where file_name = 'alt.webp'`)
  expect((await fetchFile('/photos/alt.webp')).status).toBe(404)
})
