// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Course, ListedCourse } from '#contract/endpoints/courses.ts'
import { ANONYMOUS_SESSION, type Session } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { setDataOwner } from '#lib/resource.ts'
import { storeSessionToken } from '#lib/session-token.ts'
import { testCourse } from '#test/courses.ts'
import { markCancellationSeen, useBookedCourses, useCancelledCourses } from './resource.ts'
import { useBookings } from './store.ts'
import { bookCourse, cancelBooking, undoCancellation } from './sync.ts'
import { watchWonPlaces } from './won-places-sync.ts'

const session: Session = {
  ...ANONYMOUS_SESSION,
  id: 'token',
  webUserId: 7,
  userName: 'mara@demo.example',
  givenName: 'Mara',
  familyName: 'Kern',
}
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
const lost = () => {
  throw new TypeError('Failed to fetch')
}

/** Server responses to successive booking calls; the last one repeats. */
let bookingAnswers: (() => Response | Promise<Response>)[] = []
let bookedList: ListedCourse[] | null = []
let courseNow: Course | null = null
let bookingCalls = 0
let listCalls = 0

const network = async ({ url, method }: Request) => {
  const { pathname } = new URL(url)
  if (pathname === '/api/course/booked') {
    listCalls++
    return bookedList ? json(bookedList) : lost()
  }
  if (pathname === '/api/course/1' && courseNow) return json(courseNow)
  if (method === 'PUT') {
    bookingCalls++
    return (bookingAnswers.length > 1 ? bookingAnswers.shift() : bookingAnswers[0])?.() ?? lost()
  }
  return lost()
}

const { forget } = useBookings.getState()

beforeEach(() => {
  vi.stubGlobal('fetch', network)
  window.location.href = 'http://portal.example/courses'
  useSession.setState({ phase: 'started', session })
  setDataOwner(null)
  setDataOwner(session)
  storeSessionToken(session.id, true)
  forget()
  bookingAnswers = []
  bookedList = []
  bookingCalls = 0
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

const booked = () => json(testCourse({ bookingStatus: 1, cancellabel: true }))

test('a booking ends with a confirmed result and appears under my courses', async () => {
  bookingAnswers = [booked]
  await useBookedCourses.load()
  await bookCourse(1)
  const { outcome, pending } = useBookings.getState()
  expect(outcome?.kind).toBe('booked')
  expect(useBookedCourses.getState().data.map(({ id }) => id)).toEqual([1])
  expect(pending.size).toBe(0)
})

test('booking a full course adds a waiting-list entry with its position', async () => {
  bookingAnswers = [() => json(testCourse({ bookingStatus: 2, waitingListPosition: 4 }))]
  await bookCourse(1)
  expect(useBookings.getState().outcome).toMatchObject({ kind: 'waiting', course: { waitingListPosition: 4 } })
})

test('a lost response is retried until there is a result, and the app shows that it is waiting', async () => {
  const phases: (string | undefined)[] = []
  bookingAnswers = [lost, () => json({ status: 'Failed', message: 'busy' }, 503), booked]
  useBookings.subscribe(({ pending }) => phases.push(pending.get(1)?.phase))
  await bookCourse(1)
  expect(bookingCalls).toBe(3)
  expect(useBookings.getState().outcome?.kind).toBe('booked')
  expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual(['sending', 'asking', undefined])
})

const otherUser = { ...session, id: 'other token', webUserId: 8, userName: 'ben@demo.example' }

test('a booking without a response is never sent with the session of the next user', async () => {
  bookingAnswers = [lost, booked]
  const sent = bookCourse(1)
  await vi.waitFor(() => expect(useBookings.getState().pending.get(1)?.phase).toBe('asking'))
  useSession.setState({ session: otherUser })
  setDataOwner(otherUser)
  forget()
  await sent
  expect([bookingCalls, useBookings.getState().outcome, useBookings.getState().pending.size]).toEqual([1, null, 0])
})

test('the next user books at once, although the booking of the former one still waits for an answer', async () => {
  bookingAnswers = [() => json({ status: 'Failed', message: 'busy' }, 503, { 'Retry-After': '1' }), booked]
  const former = bookCourse(1)
  await vi.waitFor(() => expect(useBookings.getState().pending.get(1)?.phase).toBe('asking'))
  useSession.setState({ session: otherUser })
  setDataOwner(otherUser)
  forget()
  expect(useBookings.getState().pending.size).toBe(0)
  await bookCourse(1)
  expect(useBookings.getState().outcome?.kind).toBe('booked')

  const { promise, resolve } = Promise.withResolvers<Response>()
  bookingAnswers = [() => promise]
  const next = bookCourse(1)
  await former
  expect(useBookings.getState().pending.size).toBe(1)
  resolve(booked())
  await next
})

test('a cancellation without an answer is not repeated once its user has logged out and in again', async () => {
  bookingAnswers = [() => json({ status: 'Failed', message: 'busy' }, 503, { 'Retry-After': '1' }), booked]
  const former = cancelBooking(1)
  await vi.waitFor(() => expect(useBookings.getState().pending.get(1)?.phase).toBe('asking'))
  useSession.setState({ phase: 'none', session: null })
  setDataOwner(null)
  forget()
  useSession.setState({ phase: 'started', session })
  setDataOwner(session)
  await bookCourse(1)
  expect(bookingCalls).toBe(2)

  const { promise, resolve } = Promise.withResolvers<Response>()
  bookingAnswers = [() => promise]
  const next = bookCourse(1)
  await former
  expect([bookingCalls, useBookings.getState().pending.size]).toEqual([3, 1])
  resolve(booked())
  await next
})

test('the response to a booking of another user is not shown', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  bookingAnswers = [() => promise]
  const sent = bookCourse(1)
  await vi.waitFor(() => expect(bookingCalls).toBe(1))
  useSession.setState({ session: otherUser })
  setDataOwner(otherUser)
  forget()
  resolve(booked())
  await sent
  expect([useBookings.getState().outcome, useBookedCourses.getState().data]).toEqual([null, []])
})

test('a second tap during a pending call sends nothing', async () => {
  bookingAnswers = [booked]
  await Promise.all([bookCourse(1), bookCourse(1)])
  expect(bookingCalls).toBe(1)
})

test('a server that opens slightly after the local countdown is retried silently', async () => {
  const notYet = () => json(testCourse({ seasonBookable: false, status: 'Failed', message: 'noch nicht' }))
  bookingAnswers = [notYet, booked]
  await bookCourse(1)
  expect(bookingCalls).toBe(2)
  expect(useBookings.getState().outcome?.kind).toBe('booked')
})

test('a rejection is final and shows no result', async () => {
  bookingAnswers = [() => json(testCourse({ status: 'Failed', message: 'Nur für Mitglieder.' }))]
  await bookCourse(1)
  expect(bookingCalls).toBe(1)
  expect(useBookings.getState().outcome).toBeNull()
})

test('cancelling removes the course from my courses', async () => {
  bookedList = [testCourse({ id: 1, bookingStatus: 1 }), testCourse({ id: 2, bookingStatus: 1 })]
  bookingAnswers = [() => json(testCourse({ id: 1, bookingStatus: 0 }))]
  await useBookedCourses.load()
  await cancelBooking(1)
  expect(useBookings.getState().outcome?.kind).toBe('cancelled')
  expect(useBookedCourses.getState().data.map(({ id }) => id)).toEqual([2])
})

test('undoing a cancellation whose place is gone asks before it joins the waiting list', async () => {
  courseNow = testCourse({ directlyBookable: false })
  bookingAnswers = [() => json(testCourse({ bookingStatus: 2, waitingListPosition: 1 }))]
  await undoCancellation(1)
  expect([bookingCalls, useBookings.getState().outcome?.kind]).toEqual([0, 'placeGone'])
  courseNow = testCourse({ directlyBookable: true })
  bookingAnswers = [booked]
  await undoCancellation(1)
  expect([bookingCalls, useBookings.getState().outcome?.kind]).toEqual([1, 'booked'])
})

test('a place from the waiting list is shown once, like a booking', async () => {
  watchWonPlaces()
  bookedList = [testCourse({ bookingStatus: 2, waitingListPosition: 1 })]
  await useBookedCourses.load()
  expect(useBookings.getState().outcome).toBeNull()
  bookedList = [testCourse({ bookingStatus: 1 })]
  await useBookedCourses.load()
  expect(useBookings.getState().outcome).toMatchObject({ kind: 'booked', course: { id: 1 } })
  useBookings.getState().dismiss()
  await useBookedCourses.load()
  expect(useBookings.getState().outcome).toBeNull()
})

test('a cancelled course is no booking, and stays seen once its page was opened', async () => {
  bookedList = [{ ...testCourse({ cancelled: true }), note: 'Wasserschaden', note2: '', alternatives: [2] }]
  await useBookedCourses.load()
  expect(useBookedCourses.getState().data).toEqual([])
  await useCancelledCourses.load()
  expect(useCancelledCourses.getState().data).toMatchObject([{ id: 1, note: 'Wasserschaden' }])
  // Recorded without a request, which leaving the page would abort.
  listCalls = 0
  await markCancellationSeen(1)
  expect(listCalls).toBe(0)
  await useCancelledCourses.load()
  expect(useCancelledCourses.getState().data).toMatchObject([{ id: 1, isSeen: true }])
  // A screen that shows both lists sends one request.
  listCalls = 0
  await Promise.all([useCancelledCourses.load(), useBookedCourses.load()])
  expect(listCalls).toBe(1)
  expect(useCancelledCourses.getState().data).toMatchObject([{ id: 1, isSeen: true }])
})
