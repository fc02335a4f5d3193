import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Course } from '#contract/courses.ts'
import { testCourse } from '#test/courses.ts'

// Every start loads the app's modules anew.
vi.setConfig({ testTimeout: 30_000 })

const session = {
  ...{ id: 'token', userName: 'mara@demo.example', givenName: 'Mara', familyName: 'Kern', isInstructor: false },
  ...{ keepSession: true, employeeStatus: 1, isDivisionToSet: false, hasUnreadMessages: false },
  ...{ isPasswordToChange: false, status: 'Ok', message: '', webUserId: 7 },
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
const lost = () => {
  throw new TypeError('Failed to fetch')
}

/** What the server does with each booking call in turn; the last one stays. */
let bookingAnswers: (() => Response | Promise<Response>)[] = []
let bookedList: Course[] | null = []
let bookingCalls = 0

const network = async ({ url, method }: Request) => {
  const { pathname } = new URL(url)
  if (pathname === '/api/session') return json(session)
  if (pathname === '/api/course/booked') return bookedList ? json(bookedList) : lost()
  if (method === 'PUT') {
    bookingCalls++
    return (bookingAnswers.length > 1 ? bookingAnswers.shift() : bookingAnswers[0])?.() ?? lost()
  }
  return lost()
}

/** The app as it starts on this device, logged in. */
async function startApp() {
  vi.resetModules()
  const { useBookings } = await import('./store.ts')
  const { useSession } = await import('#features/session/store.ts')
  await useSession.getState().check()
  return { useBookings, useSession }
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('fetch', network)
  localStorage.clear()
  localStorage.setItem('SessionToken', 'token')
  window.location.href = 'http://portal.example/courses'
  bookingAnswers = []
  bookedList = []
  bookingCalls = 0
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

const booked = () => json(testCourse({ bookingStatus: 1, cancellabel: true }))

test('a booking ends with a definite result and stands under my courses', async () => {
  bookingAnswers = [booked]
  const { useBookings } = await startApp()
  await useBookings.getState().load()
  await useBookings.getState().book(1)
  const { outcome, courses, pending } = useBookings.getState()
  expect(outcome?.kind).toBe('booked')
  expect(courses?.map(({ id }) => id)).toEqual([1])
  expect(pending.size).toBe(0)
})

test('a full course gives a place on the waiting list, with its number', async () => {
  bookingAnswers = [() => json(testCourse({ bookingStatus: 2, waitingListPosition: 4 }))]
  const { useBookings } = await startApp()
  await useBookings.getState().book(1)
  expect(useBookings.getState().outcome).toMatchObject({ kind: 'waiting', course: { waitingListPosition: 4 } })
})

test('a lost answer is asked for again until it is there; meanwhile the app says so', async () => {
  const phases: (string | undefined)[] = []
  bookingAnswers = [lost, () => json({ status: 'Failed', message: 'busy' }, 503), booked]
  const { useBookings } = await startApp()
  useBookings.subscribe(({ pending }) => phases.push(pending.get(1)?.phase))
  await useBookings.getState().book(1)
  expect(bookingCalls).toBe(3)
  expect(useBookings.getState().outcome?.kind).toBe('booked')
  expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual(['sending', 'asking', undefined])
})

test('a second tap while the first is under way sends nothing', async () => {
  bookingAnswers = [booked]
  const { useBookings } = await startApp()
  await Promise.all([useBookings.getState().book(1), useBookings.getState().book(1)])
  expect(bookingCalls).toBe(1)
})

test('a server that opens a moment after our countdown is asked again without a word', async () => {
  const notYet = () => json(testCourse({ seasonBookable: false, status: 'Failed', message: 'noch nicht' }))
  bookingAnswers = [notYet, booked]
  const { useBookings } = await startApp()
  await useBookings.getState().book(1)
  expect(bookingCalls).toBe(2)
  expect(useBookings.getState().outcome?.kind).toBe('booked')
})

test('a refusal is final and no result', async () => {
  bookingAnswers = [() => json(testCourse({ status: 'Failed', message: 'Nur für Mitglieder.' }))]
  const { useBookings } = await startApp()
  await useBookings.getState().book(1)
  expect(bookingCalls).toBe(1)
  expect(useBookings.getState().outcome).toBeNull()
})

test('cancelling takes the course from my courses', async () => {
  bookedList = [testCourse({ id: 1, bookingStatus: 1 }), testCourse({ id: 2, bookingStatus: 1 })]
  bookingAnswers = [() => json(testCourse({ id: 1, bookingStatus: 0 }))]
  const { useBookings } = await startApp()
  await useBookings.getState().load()
  await useBookings.getState().cancel(1)
  expect(useBookings.getState().outcome?.kind).toBe('cancelled')
  expect(useBookings.getState().courses?.map(({ id }) => id)).toEqual([2])
})

test('my courses are there without network and gone after the logout', async () => {
  bookedList = [testCourse({ id: 1, bookingStatus: 1, meetingURL: 'https://example.org/m' })]
  const first = await startApp()
  await first.useBookings.getState().load()
  bookedList = null
  const offline = await startApp()
  await offline.useBookings.getState().load()
  expect(offline.useBookings.getState()).toMatchObject({ isStale: true, courses: [{ id: 1 }] })
  await offline.useSession.getState().logout()
  localStorage.setItem('SessionToken', 'token')
  const later = await startApp()
  await later.useBookings.getState().load()
  expect(later.useBookings.getState()).toMatchObject({ isStale: true, courses: null })
})
