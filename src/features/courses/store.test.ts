import 'fake-indexeddb/auto'
import { createStore, set } from 'idb-keyval'
import { beforeEach, expect, test, vi } from 'vitest'
import { encodeCourseIndex } from '#contract/course-index.ts'
import type { Course } from '#contract/courses.ts'
import { testCourse } from '#test/courses.ts'

type Answers = Record<string, unknown>
// Every start loads the app's modules anew.
vi.setConfig({ testTimeout: 30_000 })

const session = {
  ...{ id: 'token', userName: 'mara@demo.example', givenName: 'Mara', familyName: 'Kern', isInstructor: false },
  ...{ keepSession: true, employeeStatus: 1, isDivisionToSet: false, hasUnreadMessages: false },
  ...{ isPasswordToChange: false, status: 'Ok', message: '', webUserId: 7 },
}
const stateOf = (id: number, bookingStatus: number) => ({
  ...{ id, bookingStatus, waitingListPosition: 0, bookable: true },
  ...{ directlyBookable: true, cancellabel: true, participation: 0 },
})
const textsOf = ({ id, textWeb, textWeb2, conditions, conditions2, dates, location, location2 }: Course) => ({
  ...{ id, textWeb, textWeb2, conditions, conditions2, dates, location, location2 },
  ...{ totalHours: 0, centralTestInstitute: '' },
})

let answers: Answers = {}
/** Answers by path, or a function that makes the answer; what is missing is a network failure. */
const network = async ({ url }: Request) => {
  const { pathname, search } = new URL(url)
  const answer = answers[pathname + search]
  if (answer === undefined) throw new TypeError('Failed to fetch')
  const body = await (typeof answer === 'function' ? answer() : answer)
  if (body instanceof Response) return body
  return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
}

const programme = (courses: Course[], extra: Answers = {}): Answers => ({
  '/api/course?view=index': encodeCourseIndex(courses),
  '/api/course?view=texts': courses.map(textsOf),
  '/api/season': [],
  ...extra,
})

/** The app as it starts on this device: fresh modules, what was stored is there. */
async function startApp() {
  vi.resetModules()
  const { useCourses } = await import('./store.ts')
  const { useSession } = await import('#features/session/store.ts')
  await Promise.all([useSession.getState().check(), useCourses.getState().start()])
  await new Promise(resolve => setTimeout(resolve, 20))
  return { useCourses, useSession }
}

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  localStorage.clear()
  sessionStorage.clear()
  vi.stubGlobal('fetch', network)
  window.location.href = 'http://portal.example/courses'
  answers = {}
})

test('the programme of the last visit is there without network, with its time', async () => {
  answers = programme([testCourse({ id: 1 }), testCourse({ id: 2 })])
  await startApp()
  answers = {}
  const { useCourses } = await startApp()
  const { phase, courses, texts, isStale, asOf } = useCourses.getState()
  expect({ phase, isStale, ids: courses.map(({ id }) => id) }).toEqual({ phase: 'ready', isStale: true, ids: [1, 2] })
  expect(texts.size).toBe(2)
  expect(asOf).toBeGreaterThan(Date.now() - 10_000)
})

test('without anything stored and without network the list says so, and a retry brings it', async () => {
  const { useCourses } = await startApp()
  expect(useCourses.getState().phase).toBe('failed')
  answers = programme([testCourse()])
  await useCourses.getState().refresh()
  expect(useCourses.getState()).toMatchObject({ phase: 'ready', isStale: false })
})

test.each([
  ['of another version', { state: { index: encodeCourseIndex([testCourse()]), fetchedAt: 1 }, version: 0 }],
  ['cut off', { state: { index: { texts: [], columns: { id: [1, 2] } }, fetchedAt: 1 }, version: 1 }],
  ['nonsense', { state: 'x', version: 1 }],
  ['not even an object', 42],
])('what is stored %s is dropped and fetched again', async (_, stored) => {
  await set('course-index', stored, createStore('portal', 'stores'))
  answers = programme([testCourse({ id: 5 })])
  const { useCourses } = await startApp()
  expect(useCourses.getState().courses.map(({ id }) => id)).toEqual([5])
})

test('an answer asked for earlier never replaces one asked for later', async () => {
  answers = programme([testCourse({ id: 1 })])
  const { useCourses } = await startApp()
  let release: (value: unknown) => void = () => undefined
  answers['/api/course?view=index'] = () =>
    new Promise(resolve => {
      release = resolve
    })
  const slow = useCourses.getState().refresh()
  await new Promise(resolve => setTimeout(resolve, 20))
  answers['/api/course?view=index'] = encodeCourseIndex([testCourse({ id: 3 })])
  await useCourses.getState().refresh()
  release(encodeCourseIndex([testCourse({ id: 2 })]))
  await slow
  expect(useCourses.getState().courses.map(({ id }) => id)).toEqual([3])
})

test('a booking made while the list is under way survives that list', async () => {
  localStorage.setItem('SessionToken', 'token')
  answers = programme([testCourse({ id: 1, currentParticipants: 5 })], {
    '/api/session': session,
    '/api/course/session?view=states': [stateOf(1, 0)],
  })
  const { useCourses } = await startApp()
  let release: (value: unknown) => void = () => undefined
  answers['/api/course?view=index'] = () =>
    new Promise(resolve => {
      release = resolve
    })
  const refreshed = useCourses.getState().refresh()
  await new Promise(resolve => setTimeout(resolve, 20))
  useCourses.getState().accept(testCourse({ id: 1, bookingStatus: 1, currentParticipants: 6 }))
  release(encodeCourseIndex([testCourse({ id: 1, currentParticipants: 5 })]))
  await refreshed
  expect(useCourses.getState().byId.get(1)).toMatchObject({ bookingStatus: 1, currentParticipants: 6 })
})

test('a person’s states come with the login, are there offline, and go with the logout', async () => {
  localStorage.setItem('SessionToken', 'token')
  answers = programme([testCourse({ id: 1 })], {
    '/api/session': session,
    '/api/course/session?view=states': [stateOf(1, 1)],
  })
  await startApp()
  answers = {}
  const { useCourses, useSession } = await startApp()
  expect(useCourses.getState().byId.get(1)?.bookingStatus).toBe(1)
  await useSession.getState().logout()
  expect(useCourses.getState().byId.get(1)?.bookingStatus).toBe(0)
  localStorage.setItem('SessionToken', 'token')
  localStorage.setItem('LastSession', JSON.stringify(session))
  const again = await startApp()
  expect(again.useCourses.getState().byId.get(1)?.bookingStatus).toBe(0)
})

test('home links preselect a category, search boxes their words, each alone', async () => {
  const store = await import('./store.ts')
  const criteria = await import('./criteria-store.ts')
  store.searchFor('aqua')
  expect(criteria.useCriteria.getState().criteria.text).toBe('aqua')
  store.preselectCategory(13)
  expect(criteria.useCriteria.getState().criteria).toMatchObject({ text: '', facets: { categories: ['13'], days: [] } })
})
