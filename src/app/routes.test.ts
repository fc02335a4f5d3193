// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { PUBLIC_PAGES } from '#contract/endpoints/public-pages.ts'
import { ALL_PAGE_PATHS, OFFICE_PATHS } from '#contract/office/pages.ts'
import { useListView } from '#features/courses/list-view-store.ts'
import { OfficeGuard } from '#office/shell/office-guard.tsx'
import { officeScreens } from '#office/shell/screens.tsx'
import { findRoute, preloadOtherScreens, preloadScreen, routes, setOfficeScreen } from './routes.tsx'

test.each([
  ['/', 'home'],
  ['/home', 'home'],
  ['/courses/booked', 'booked-courses'],
  ['/course-details/4711', 'course-details'],
  ['/photo-album/3', 'photos'],
  ['/photo-album/', 'albums'],
  ['/photo-album/3/4', 'not-found'],
  ['/office', 'office'],
  ['/office/courses/4711', 'office'],
  ['/officex', 'not-found'],
  ['/coursesx', 'not-found'],
])('%s shows %s', (address, name) => expect(findRoute(address).name).toBe(name))

test('every screen can be loaded', async () => {
  setOfficeScreen(async () => OfficeGuard)
  for (const { preload, path } of routes) expect(await preload(), path).toBeTypeOf('function')
})

test('loading the other screens in the background leaves the calendar on the day that the URL does not have yet', async () => {
  window.history.replaceState(null, '', '/courses?view=week&date=2026-11-30')
  await preloadScreen('/courses')
  useListView.setState({ view: 'week', dayMs: Date.UTC(2026, 10, 29) })
  await preloadOtherScreens()
  expect(useListView.getState().dayMs).toBe(Date.UTC(2026, 10, 29))
})

test.each(Object.entries(PUBLIC_PAGES))('the public page %s is the route %s', (address, name) => {
  expect(findRoute(address)).toMatchObject({ name, access: 'public' })
})

test('the server serves every page of the app', () => {
  const ofOffice = ['/office', ...officeScreens.map(({ path }) => path)]
  const ofOthers = routes.filter(({ name }) => name !== 'office').map(({ path }) => path)
  expect([...ALL_PAGE_PATHS].sort()).toEqual([...new Set([...ofOthers, ...ofOffice])].sort())
  expect([...OFFICE_PATHS].sort()).toEqual([...new Set(ofOffice)].sort())
})
