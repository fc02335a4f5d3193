import { expect, test } from 'vitest'
import { PAGE_PATHS, PUBLIC_PAGES } from '#contract/public-pages.ts'
import { findRoute, routes } from './routes.tsx'

test.each([
  ['/', 'home'],
  ['/home', 'home'],
  ['/courses/booked', 'booked-courses'],
  ['/course-details/4711', 'course-details'],
  ['/photo-album/3', 'photos'],
  ['/photo-album/', 'albums'],
  ['/photo-album/3/4', 'not-found'],
  ['/coursesx', 'not-found'],
])('%s shows %s', (address, name) => expect(findRoute(address).name).toBe(name))

test('every screen is there to be loaded', async () => {
  for (const { preload, path } of routes) expect(await preload(), path).toBeTypeOf('function')
})

test.each(Object.entries(PUBLIC_PAGES))('%s can be found as %s', (address, name) => {
  expect(findRoute(address)).toMatchObject({ name, access: 'public' })
})

test('the server knows every page of the app', () => {
  expect([...PAGE_PATHS].sort()).toEqual(routes.map(({ path }) => path).sort())
})
