// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { createStore, set } from 'idb-keyval'
import { beforeAll, expect, test, vi } from 'vitest'
import { encodeCourseIndex } from '#contract/endpoints/course-index.ts'
import { useDivisions } from '#features/accounts/resource.ts'
import { useAttendance } from '#features/attendance/store.ts'
import { useBookedCourses } from '#features/bookings/resource.ts'
import { useContent } from '#features/content/resource.ts'
import { useCourseIndex, useCourseStates, useCourseTexts, useSeasons } from '#features/courses/resource.ts'
import { currentUserAlbums } from '#features/gallery/resource.ts'
import { useMessages } from '#features/inbox/resource.ts'
import { usePortalConfig } from '#features/system/resource.ts'
import { testCourse } from '#test/courses.ts'
import { startApp } from './start.ts'

const SESSION = {
  webUserId: 7,
  userName: 'mara@demo.example',
  givenName: 'Mara',
  familyName: 'Kern',
  isInstructor: true,
  keepSession: true,
  employeeStatus: 1,
  isDivisionToSet: false,
  hasUnreadMessages: false,
  isPasswordToChange: false,
  status: 'Ok',
  message: '',
}
const ENTRY = {
  kind: 'tick',
  changeId: 'c7d8a3a4-6f0b-4a4e-9d61-0a3f2b1c4d5e',
  userId: 7,
  courseId: 1,
  courseDateId: 11,
  webUserId: 100,
  isPresent: true,
  recordedAt: Date.parse('2026-11-20T17:00:00Z'),
  clockOffsetMs: 0,
  state: 'waiting',
  attempts: 1,
  lastError: '',
}

let isReachable = false
const sent: unknown[] = []

/** A course as stored by version 1.2.0, without the fields that were added later. */
function oldCourse() {
  const {
    weekdays: _,
    freeWithAttendance: __,
    price: ___,
    obstacle: ____,
    attendance: _____,
    ...course
  } = testCourse({ id: 1 })
  return { ...course, bookingStatus: 1 }
}

/** Data left by version 1.2.0 on the device of a participant who is also an instructor. */
async function leaveOldData(): Promise<void> {
  localStorage.setItem('SessionToken', 'token')
  localStorage.setItem('LastSession', JSON.stringify({ ...SESSION, id: '' }))
  const { texts, columns } = encodeCourseIndex([testCourse({ id: 1 })])
  const { weekdays: _, freeWithAttendance: __, ...oldColumns } = columns
  const asOf = Date.parse('2026-11-20T12:00:00Z')
  const { userName, webUserId } = SESSION
  const kept: Record<string, unknown> = {
    config: { photoURL: '/p/', thumbnailURL: '/t/', contentURL: '/c/', timeZone: 'Europe/Berlin' },
    'course-index': { index: { texts, columns: oldColumns }, fetchedAt: asOf },
    'course-texts': [{ id: 1, textWeb: 'Lang', dates: [] }],
    seasons: [{ id: 3, name: 'Winter' }],
    'course-states': { userName, states: [{ id: 1, bookingStatus: 1 }] },
    content: { items: [{ contentType: 'Flyer' }], instructors: [], asOf },
    'gallery-own': { userName, albums: [{ id: 5 }], photos: { 5: [] }, asOf },
    messages: { webUserId, messages: [{ id: 9, seen: false }], fetchedAt: asOf },
    'booked-courses': { userName, courses: [oldCourse()], fetchedAt: asOf },
    divisions: [{ id: 2, name: 'Guss' }],
  }
  const disk = createStore('portal', 'stores')
  for (const [key, state] of Object.entries(kept)) await set(key, { state, version: 1 }, disk)

  const opening = indexedDB.open('attendance', 1)
  opening.onupgradeneeded = () => {
    for (const store of ['entries', 'sender', 'kept']) opening.result.createObjectStore(store)
  }
  await new Promise(resolve => opening.addEventListener('success', resolve))
  const transaction = opening.result.transaction(['entries', 'kept'], 'readwrite')
  transaction.objectStore('entries').put(ENTRY, '7/tick/11/100')
  transaction.objectStore('kept').put({ kind: 'courses', courses: [oldCourse()], fetchedAt: asOf }, '7/courses')
  await new Promise(resolve => transaction.addEventListener('complete', resolve))
  opening.result.close()
}

beforeAll(async () => {
  window.location.href = 'http://portal.example/courses'
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!isReachable) throw new TypeError('Failed to fetch')
    const body = request.method === 'GET' ? [] : await request.json()
    if (request.method !== 'GET') sent.push(body)
    const answer = { ...body, status: 'Ok', message: '' }
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } })
  })
  await leaveOldData()
  await startApp(Promise.resolve())
  await Promise.all([useBookedCourses, useMessages, useDivisions, currentUserAlbums()].map(held => held.load()))
})

test.each([
  ['programme', useCourseIndex, [{ id: 1, weekdays: [1], freeWithAttendance: false }]],
  ['course data of the user', useCourseStates, [{ id: 1, bookingStatus: 1 }]],
  ['seasons', useSeasons, [{ id: 3 }]],
  ['content', useContent, { items: [{ contentType: 'Flyer' }] }],
  ['messages', useMessages, [{ id: 9 }]],
  ['booked courses', useBookedCourses, [{ id: 1, bookingStatus: 1, weekdays: [1], price: null, obstacle: '' }]],
  ['divisions', useDivisions, [{ id: 2 }]],
  ['portal settings', usePortalConfig, { contentURL: '/c/', externalSurcharge: expect.any(Number) }],
])('data stored by version 1.2.0 are available offline: %s', (_, held, data) => {
  expect(held.getState()).toMatchObject({ data, phase: 'ready', isStale: true })
})

test('long texts, albums and the instructor’s courses are available offline as well', async () => {
  // Long timeout for a machine under load.
  await vi.waitFor(() => expect(useAttendance.getState().courses).toMatchObject([{ id: 1 }]), 8_000)
  expect(useCourseTexts.getState().data.get(1)).toMatchObject({ textWeb: 'Lang' })
  expect(currentUserAlbums().getState().data).toMatchObject({ albums: [{ id: 5 }] })
})

test('attendance changes left by version 1.2.0 are sent once online', async () => {
  expect(sent).toEqual([])
  isReachable = true
  window.dispatchEvent(new Event('focus'))
  await vi.waitFor(
    () => expect(sent).toMatchObject([{ changeId: ENTRY.changeId, changeState: 'added', webUserId: 100 }]),
    8_000,
  )
})
