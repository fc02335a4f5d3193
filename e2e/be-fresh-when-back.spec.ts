import { runningCourse } from './attendance-steps.ts'
import { expect, test } from './fixtures.ts'
import { patience } from './patience.ts'
import { untilKept } from './programme-steps.ts'

test('data shown while offline are refreshed on reconnecting, on every screen and without a reload @extended', async ({
  page,
  context,
  portal,
  loginAs,
}) => {
  test.slow()
  const token = await loginAs('instructor')
  const courseId = await runningCourse(portal, token, 0)
  const screens: [path: string, ...stored: string[]][] = [
    ['/courses'],
    ['/courses/booked', 'booked-courses'],
    ['/messages', 'messages'],
    ['/photo-album', 'gallery-own'],
    ['/courses/instructor'],
    [`/course-participation/${courseId}`],
    [`/course-details/${courseId}`],
  ]
  for (const [path, ...stored] of screens) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main').getByText('Einen Moment …')).toHaveCount(0)
    await untilKept(page, ...stored)
    await page.waitForLoadState('networkidle')
  }
  const asOf = page.getByText(/^Stand \d\d:\d\d/)
  for (const [path] of screens) {
    await context.setOffline(true)
    await page.goto(path)
    await expect(asOf, path).toBeVisible()
    await context.setOffline(false)
    await expect(asOf, path).toBeHidden()
  }

  // A screen without data retries automatically.
  await context.setOffline(true)
  await page.goto('/sessions')
  await expect(page.getByRole('alert')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('dieses Gerät')).toBeVisible()
})

test('the app reconnects automatically to a restarted portal while the device stays online @extended', async ({
  page,
  portal,
}) => {
  await page.goto('/courses')
  await untilKept(page)
  await page.waitForLoadState('networkidle')
  await portal.kill()
  await page.goto('/courses')
  const banner = page.getByRole('status').getByText('Keine Verbindung')
  await expect(banner.first()).toBeVisible()
  await expect(page.getByText(/^Stand \d\d:\d\d/)).toBeVisible()
  await portal.start()
  await expect(banner).toHaveCount(0, { timeout: patience * 20_000 })
  await expect(page.getByText(/^Stand \d\d:\d\d/)).toBeHidden()
})
