import { randomUUID } from 'node:crypto'
import { bookCourse } from '#contract/endpoints/courses.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { performAtDesk } from './attendance-steps.ts'
import { test } from './browser-fixture.ts'
import { DEMO_PASSWORD, emailOf, expect, type Portal } from './fixtures.ts'
import { createPerson, logIn, openAs, type Person, tokenOf } from './people-steps.ts'
import { inDays } from './programme-steps.ts'

/** A published season with one course of two places, which three people have booked. @returns the second of them */
async function openSeason(
  portal: Portal,
): Promise<{ seasonId: number; name: string; courseId: number; second: Person }> {
  const shortcut = `R${randomUUID().slice(0, 4)}`
  const name = `Saison ${shortcut}`
  const { seasonId } = await performAtDesk(portal, {
    kind: 'create-season',
    name,
    name2: name,
    shortcut,
    startsAt: inDays(10),
    endsAt: inDays(100),
    bookableFrom: `${inDays(-2)}T08:00`,
    viewableFrom: `${inDays(-3)}T08:00`,
  })
  await performAtDesk(portal, { kind: 'publish-season', seasonId })
  const { courseId } = await performAtDesk(portal, {
    kind: 'create-course',
    number: `${shortcut}-1`,
    name: 'Klettern',
    name2: 'Climbing',
    seasonId,
    courseCategoryId: 3,
    start: inDays(10),
    end: inDays(100),
    startTime: '05:00',
    endTime: '06:00',
    venue: 'Wand',
    instructorEmails: [emailOf('instructor')],
    participants: 2,
    fee: 20,
  })
  const people = [await createPerson(portal), await createPerson(portal), await createPerson(portal)]
  for (const person of people) {
    const answer = await portal.call(bookCourse, {
      token: await tokenOf(portal, person),
      body: { id: Number(courseId) },
    })
    expect(answer).toMatchObject({ status: 'Ok' })
  }
  const [, second] = people
  if (second === undefined) throw new Error('there are three people')
  return { seasonId: Number(seasonId), name, courseId: Number(courseId), second }
}

test('the department publishes the order of requests, and a person proves their number, also offline @extended', async ({
  page: desk,
  portal,
  gate,
  installFrom,
}) => {
  const { seasonId, name, courseId, second } = await openSeason(portal)
  await openAs(desk, portal, { email: emailOf('desk'), password: DEMO_PASSWORD }, `/office/season?season=${seasonId}`)
  await desk.getByRole('button', { name: 'Reihenfolge veröffentlichen' }).click()
  const dialog = desk.getByRole('dialog')
  await expect(dialog).toContainText('weder ändern noch zurücknehmen')
  await dialog.getByRole('button', { name: /^Reihenfolge veröffentlichen/ }).click()
  await expect(desk.getByRole('link', { name: 'Reihenfolge ansehen' })).toHaveAttribute(
    'href',
    `/booking-order/${seasonId}`,
  )

  const { page } = await installFrom('/login')
  await logIn(page, second)
  await page.waitForURL(url => url.pathname !== '/login')
  await page.goto(`/course-details/${courseId}`)
  await page.getByText('Welche Nummer hatte meine Anfrage?').click()
  await expect(
    page.getByText(/^Ihre Anfrage war Nummer\s2 von\s3, eingegangen am .*,\d{3}\sUhr\. Der Kurs hat\s2\sPlätze\.$/),
  ).toBeVisible()
  await page.screenshot({ path: test.info().outputPath('number.png') })
  await page.getByRole('link', { name: 'In der veröffentlichten Reihenfolge prüfen' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Reihenfolge der Buchungen: ${name}`)
  const verdict = page.getByRole('status').filter({ has: page.getByRole('heading') })
  await expect(verdict).toContainText('Die Anfrage steht in der Reihenfolge')
  await expect(verdict).toContainText(/Nummer\s2 von\s3 für „Klettern“/)
  expect(await violationsInBothSchemes(page)).toEqual([])
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    expect(await overflowOf(page)).toBe(0)
    await page.screenshot({ path: test.info().outputPath(`order-${width}.png`), fullPage: true })
  }

  gate.isOpen = false
  await page.reload()
  await expect(verdict).toContainText('Die Anfrage steht in der Reihenfolge')
  const proof = new URL(page.url()).hash
  await page.goto(`/booking-order/${seasonId}${proof.replace('%7C2%7C', '%7C1%7C')}`)
  await expect(verdict).toContainText('Das steht so nicht in der Reihenfolge')
  await page.goto('/booking-order/999999')
  await expect(page.getByRole('button', { name: 'Noch einmal versuchen' })).toBeVisible()
})
