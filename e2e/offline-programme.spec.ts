import { expect, test } from './fixtures.ts'
import { coursesOf, listKept, untilKept, WHOLE_PROGRAMME } from './programme-steps.ts'

test('after one visit the whole programme is available offline: list, search and any course by its URL', async ({
  page,
  context,
  portal,
  loginAs,
}) => {
  const token = await loginAs('employee')
  const [course] = (await coursesOf(portal, token)).filter(({ conditions }) => conditions !== '').slice(20)
  await page.goto('/courses')
  await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
  await untilKept(page)

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText(WHOLE_PROGRAMME)).toBeVisible()
  await expect(page.getByText(/^Stand \d\d:\d\d/)).toBeVisible()
  await page.getByRole('searchbox').fill('rueckenfit')
  await expect(page.getByRole('listitem').filter({ hasText: 'Rückenfit' }).first()).toBeVisible()

  await page.goto(`/course-details/${course?.id}`)
  await expect(page.getByRole('heading', { level: 1, name: course?.name })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Gut zu wissen' })).toBeVisible()
  await expect(page.getByText(/^Stand \d\d:\d\d/)).toBeVisible()

  await context.setOffline(false)
  await page.reload()
  await expect(page.getByText(/^Stand \d\d:\d\d/)).toBeHidden()
})

test('the user’s own courses are available offline and deleted from the device at logout', async ({
  page,
  context,
  loginAs,
}) => {
  await loginAs('employee')
  await page.goto('/courses/booked')
  const mine = page.getByRole('list', { name: 'Meine Kurse' }).first().getByRole('listitem').first()
  await expect(mine).toBeVisible()
  await untilKept(page, 'booked-courses', 'course-states')
  await context.setOffline(true)
  await page.reload()
  await expect(mine).toBeVisible()
  await expect(page.getByText(/^Stand \d\d:\d\d/)).toBeVisible()
  await context.setOffline(false)
  await page.reload()
  await page.getByRole('button', { name: 'Menü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page).toHaveURL(/\/home$/)
  const kept = (await page.evaluate(listKept)).join()
  expect(kept).toContain('course-index')
  expect(kept).not.toMatch(/booked-courses|course-states/)
})
