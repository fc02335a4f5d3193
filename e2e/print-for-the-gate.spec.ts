import { readFile } from 'node:fs/promises'
import { listOfficeCourses } from '#contract/office/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { DEMO_PASSWORD, emailOf, expect, test } from './fixtures.ts'
import { tokenOf } from './people-steps.ts'
import { germanDate, inDays } from './programme-steps.ts'

test.use({ account: 'desk' })

test('the site access list of today is one tap away on the Today page, lists of other days are under Lists @extended', async ({
  page,
}) => {
  await page.goto('/office')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Liste für den Werkschutz heute' }).click() // 1
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^gate-\d{4}-\d\d-\d\d\.pdf$/)
  const pages = readPdfPages(await readFile(await file.path()))
  expect(pages.join(' ')).toContain('Liste für den Werkschutz')

  await page.goto('/office/lists')
  const gate = page.getByRole('region', { name: 'Liste für den Werkschutz' })
  const day = inDays(9)
  await gate.getByLabel('Tag').fill(germanDate(day))
  const table = page.waitForEvent('download')
  await gate.getByRole('button', { name: 'CSV: Liste für den Werkschutz' }).click()
  const csv = await table
  expect(csv.suggestedFilename()).toBe(`gate-${day}.csv`)
  expect(await readFile(await csv.path(), 'utf8')).toMatch(/^\uFEFFname;status;billingType\r\n/)
  expect(await violationsInBothSchemes(page)).toEqual([])
  for (const [width, height] of [
    [390, 844],
    [1280, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await overflowOf(page)).toBe(0)
    await gate.scrollIntoViewIfNeeded()
    await page.screenshot({ path: test.info().outputPath(`lists-${width}.png`) })
    await page.goto('/office')
    await page.getByRole('button', { name: 'Liste für den Werkschutz heute' }).scrollIntoViewIfNeeded()
    await page.screenshot({ path: test.info().outputPath(`today-${width}.png`) })
    await page.goto('/office/lists')
  }
})

test('a certificate can be issued on request from the settlement of the course @extended', async ({ page, portal }) => {
  const token = await tokenOf(portal, { email: emailOf('desk'), password: DEMO_PASSWORD })
  const { items } = await portal.call(listOfficeCourses, { query: { q: 'S-0301' }, token })
  const courseId = items.find(({ number }) => number === 'S-0301')?.id ?? 0
  const act = async (body: object) => {
    const answer = await fetch(`${portal.url}/api/office/acts`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', SessionToken: token },
      body: JSON.stringify({ actId: crypto.randomUUID(), ...body }),
    })
    expect(await answer.json()).toMatchObject({ status: 'Ok' })
  }
  await act({ kind: 'change-course', courseId, centralTestInstitute: 'KU-BE-7XK2PA', certificateShare: 60 })
  await act({ kind: 'settle-courses', courseIds: [courseId], reason: 'Demo' })
  await page.goto(`/office/money/courses/${courseId}`)
  const issue = page.getByRole('button', { name: /^Bescheinigung ausstellen: / }).first()
  const name = (await issue.getAttribute('aria-label'))?.replace(/^.*: /, '') ?? ''
  await issue.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Bescheinigung ausstellen' }).click()
  await expect(page.getByRole('button', { name: `Bescheinigung widerrufen: ${name}` })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.screenshot({ path: test.info().outputPath('settlement.png') })
})
