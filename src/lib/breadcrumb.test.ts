import { beforeEach, expect, test } from 'vitest'
import { extendTrail, useBreadcrumb } from './breadcrumb.ts'

const start = { key: 'home', route: '/home' }
const list = { key: 'course-list', route: '/courses' }
const details = { key: 'course-details', route: '/course-details/7', name: 'Rückenfit' }

beforeEach(() => useBreadcrumb.setState({ trail: [start] }))

test('a new page is added at the end of the trail', () => {
  expect(extendTrail([start, list], details)).toEqual([start, list, details])
})

test('a page already on the trail cuts the trail back to it, and keeps its name', () => {
  expect(extendTrail([start, list, details], list)).toEqual([start, list])
  expect(extendTrail([start, list, details], { key: 'course-details', route: '/course-details/7' })).toEqual([
    start,
    list,
    details,
  ])
})

test('a page is named when it knows what it shows', () => {
  const { add, name } = useBreadcrumb.getState()
  add({ key: 'course-details', route: '/course-details/7' })
  name('/course-details/7', 'Rückenfit')
  name('/course-details/8', 'of a page that was left')
  expect(useBreadcrumb.getState().trail).toEqual([start, details])
})
