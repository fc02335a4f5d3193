import { expect, test } from 'vitest'
import { extendBreadcrumb } from './breadcrumb.ts'

const start = { key: 'home', route: '/home' }
const list = { key: 'course-list', route: '/courses' }
const details = { key: 'course-details', route: '/course-details/7' }

test('a new page is appended to the breadcrumb trail', () => {
  expect(extendBreadcrumb([start, list], details)).toEqual([start, list, details])
})

test('navigating to a page already in the trail truncates the trail to it', () => {
  expect(extendBreadcrumb([start, list, details], list)).toEqual([start, list])
  expect(extendBreadcrumb([start, list, details], details)).toEqual([start, list, details])
  expect(extendBreadcrumb([start, list, details], start)).toEqual([start])
})
