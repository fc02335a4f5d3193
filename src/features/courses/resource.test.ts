// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { beforeEach, expect, test, vi } from 'vitest'
import { encodeCourseIndex } from '#contract/endpoints/course-index.ts'
import { setDataOwner } from '#lib/resource.ts'
import { testCourse } from '#test/courses.ts'
import { courseStateOf } from './model.ts'
import { applyCourseResponse, useCourseIndex, useCourseStates } from './resource.ts'
import { preselectCategory, preselectQuery, useSearchCriteria } from './search/search-criteria-store.ts'

/** Responses by URL; a missing one is a network failure. */
let answers: Record<string, () => unknown> = {}
const network = async ({ url }: Request) => {
  const { pathname, search } = new URL(url)
  const answer = answers[pathname + search]
  if (!answer) throw new TypeError('Failed to fetch')
  return new Response(JSON.stringify(await answer()), { headers: { 'Content-Type': 'application/json' } })
}

const course = testCourse({ id: 1, currentParticipants: 5 })
const booked = testCourse({ id: 1, bookingStatus: 1, currentParticipants: 6 })

beforeEach(() => {
  vi.stubGlobal('fetch', network)
  window.location.href = 'http://portal.example/courses'
  answers = {
    '/api/course?view=index': () => encodeCourseIndex([course]),
    '/api/course/session?view=states': () => [courseStateOf(course)],
  }
})

test('a booking made while the list is being fetched survives the older response', async () => {
  setDataOwner({ webUserId: 7, userName: 'mara@demo.example' })
  await Promise.all([useCourseIndex.load(), useCourseStates.load()])
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  answers['/api/course?view=index'] = () => held.then(() => encodeCourseIndex([course]))
  answers['/api/course/session?view=states'] = () => held.then(() => [courseStateOf(course)])
  const loaded = Promise.all([useCourseIndex.load(), useCourseStates.load()])
  applyCourseResponse(booked)
  release()
  await loaded
  expect(useCourseIndex.getState().data).toMatchObject([{ id: 1, currentParticipants: 6 }])
  expect(useCourseStates.getState().data).toMatchObject([{ id: 1, bookingStatus: 1 }])
})

test('links on the home page preselect only a category, search boxes only their query', () => {
  preselectQuery('aqua')
  expect(useSearchCriteria.getState().criteria.text).toBe('aqua')
  preselectCategory(13)
  expect(useSearchCriteria.getState().criteria).toMatchObject({ text: '', facets: { categories: ['13'], days: [] } })
})
