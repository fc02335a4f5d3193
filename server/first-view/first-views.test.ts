import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCourseService } from '#server/features/courses/service.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCategory, insertCourse, insertSeason, markProgrammeChanged } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { createFirstViews } from './first-views.ts'

/** Replaces the app: renders its input and the number of requests. */
const APP = `
const asked = {}
export async function renderFirstView(screen, address, { courses }) {
  if (address.endsWith('/2')) throw new Error('a screen that breaks')
  const names = courses.map(({ name }) => name).join()
  for (const until = Date.now() + (names.includes('Slow') ? 1500 : 0); Date.now() < until; );
  return '<link rel="preload" as="image" href="/a.webp"/><h1>' + [screen, names, asked[address] = (asked[address] ?? 0) + 1, window.location.hostname].join(' ') + '</h1>'
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

/** On a busy machine a course page may be given up the first time. */
const see = (path: string) => expect.poll(() => firstView(path), { timeout: 10_000 })

test('the entry pages have a first view from the first request after a start', async () => {
  const started = await createFirstViews(dist, server.context, createCourseService(server.context))
  for (const path of ['/', '/home', '/courses']) expect(await started(path)).not.toBeNull()
})

test('the most frequent entry pages have a first view, which is rendered once for all visitors', async () => {
  await see('/courses').toMatchObject({ screen: '/courses', links: '<link rel="preload" as="image" href="/a.webp"/>' })
  const views = await Promise.all([firstView('/courses'), firstView('/courses'), firstView('/courses')])
  expect(new Set(views.map(view => view?.markup)).size).toBe(1)
  expect(views[0]?.markup).toMatch(/^<h1>\/courses (?:Yoga,Pilates|Pilates,Yoga) 1 127\.0\.0\.1<\/h1>$/)
  await see('/').toMatchObject({ screen: '/home' })
  await see('/course-details/1').toMatchObject({ screen: '/course-details', markup: expect.stringContaining('Yoga') })
})

test('every other page of the app has one placeholder, whatever its parameters', async () => {
  await see('/faq').toMatchObject({ screen: '/page', markup: expect.stringContaining('<h1>/page') })
  await see('/login').toMatchObject({ screen: '/page' })
  await expect.poll(() => firstView('/courses', true)).toMatchObject({ screen: '/page' })
  await see('/photo-album/77').toMatchObject({ screen: '/page' })
  expect((await firstView('/photo-album/78'))?.markup).toBe((await firstView('/photo-album/77'))?.markup)
})

test.each(['/unknown', '/office/today', '/course-participation/1', '/course-details/777', '/course-details/2'])(
  '%s has no first view',
  async path => {
    expect(await firstView(path)).toBeNull()
  },
)

test('while a view is rendered from a changed programme, the page keeps the older one', {
  tags: 'extended',
}, async () => {
  await see('/courses').toMatchObject({ screen: '/courses' })
  const { id } = await server.db.one<{ id: number }>(
    sql`update courses set name = 'Slow' where name = 'Yoga' returning id`,
  )
  expect(id).toBeGreaterThan(0)
  await markProgrammeChanged(server.db)
  const markups: (string | undefined)[] = []
  await expect
    .poll(
      async () => {
        const view = await firstView('/courses')
        markups.push(view?.markup)
        return view?.markup
      },
      { timeout: 30_000, interval: 50 },
    )
    .toContain('Slow')
  expect(markups).not.toContain(undefined)
})

test('an app built without server-side rendering is served without first views', async () => {
  const none = await createFirstViews(tmpdir(), server.context, createCourseService(server.context))
  expect(await none('/courses')).toBeNull()
})
