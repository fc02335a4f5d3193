import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCourseService } from '#server/features/courses/service.ts'
import { insertCategory, insertCourse, insertSeason, markProgrammeChanged } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { createFirstViews } from './first-views.ts'

/** Replaces the app: renders its input and the number of requests. */
const APP = `
let asked = 0
export async function renderFirstView(screen, address, { courses }) {
  if (address.endsWith('/2')) throw new Error('a screen that breaks')
  const names = courses.map(({ name }) => name).join()
  return '<link rel="preload" as="image" href="/a.webp"/><h1>' + [screen, names, ++asked, window.location.hostname].join(' ') + '</h1>'
}`

let dist: string
let firstView: Awaited<ReturnType<typeof createFirstViews>>

const server = await openTestServer()
beforeAll(async () => {
  const place = { seasonId: (await insertSeason(server.db)).id, categoryId: (await insertCategory(server.db)).id }
  for (const name of ['Yoga', 'Pilates']) await insertCourse(server.db, { ...place, name })
  await markProgrammeChanged(server.db)
  dist = await mkdtemp(join(tmpdir(), 'first-views-'))
  await mkdir(join(dist, '.first-view'))
  await writeFile(join(dist, '.first-view/first-view.js'), APP)
  await writeFile(join(dist, '.first-view/package.json'), '{"type":"module"}')
  firstView = await createFirstViews(dist, server.context, createCourseService(server.context))
})
afterAll(() => rm(dist, { recursive: true }))

/** The very first view waits for the thread to start, so its page has none. */
const see = (path: string) => expect.poll(() => firstView(path), { timeout: 10_000 })

test('the most frequent entry pages have a first view, which is rendered once for all visitors', async () => {
  await see('/courses').toMatchObject({ screen: '/courses', links: '<link rel="preload" as="image" href="/a.webp"/>' })
  const views = await Promise.all([firstView('/courses'), firstView('/courses'), firstView('/courses')])
  expect(new Set(views.map(view => view?.markup)).size).toBe(1)
  expect(views[0]?.markup).toMatch(/^<h1>\/courses (?:Yoga,Pilates|Pilates,Yoga) 1 127\.0\.0\.1<\/h1>$/)
  await see('/').toMatchObject({ screen: '/home' })
  await see('/course-details/1').toMatchObject({ screen: '/course-details', markup: expect.stringContaining('Yoga') })
})

test.each(['/login', '/courses/booked', '/course-details/x', '/course-details/777', '/course-details/2'])(
  '%s has no first view',
  async path => {
    expect(await firstView(path)).toBeNull()
  },
)

test('an app built without server-side rendering is served without first views', async () => {
  const none = await createFirstViews(tmpdir(), server.context, createCourseService(server.context))
  expect(await none('/courses')).toBeNull()
})
