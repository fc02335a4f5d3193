import { randomUUID } from 'node:crypto'
import type { Act } from '#contract/acts/acts.ts'
import { performAct } from '#contract/office/office.ts'
import { listAbsenceLessons } from '#contract/office/planning.ts'
import { listOfficeCategories, listOfficeSeasons } from '#contract/office/programme.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { inDays } from './programme-steps.ts'
import { Hand } from './season-steps.ts'

test.use(WITHOUT_WORKER)

const IDA = 'ida.away@demo.example'
const LESSONS = 12

/** Ida teaches on each of the next days; Ole is free. */
async function insertLessons(portal: Portal, token: string): Promise<void> {
  const act = async (body: object) => {
    const answer = await portal.call(performAct, {
      body: { actId: randomUUID(), preview: false, ...body } as Act,
      token,
    })
    expect(answer.message, JSON.stringify(answer)).toBe('Erledigt.')
  }
  const query = { limit: '500' }
  const [season] = (await portal.call(listOfficeSeasons, { query, token })).items
  const [category] = (await portal.call(listOfficeCategories, { query, token })).items
  const names = [
    [IDA, 'Ida', 'Away'],
    ['ole.free@demo.example', 'Ole', 'Frei'],
  ]
  for (const [email = '', givenName, familyName] of names)
    await act({ kind: 'save-instructor', email, givenName, familyName })
  for (let index = 0; index < LESSONS; index += 1)
    await act({
      kind: 'create-course',
      number: `AWAY-${index}`,
      name: `Kurs ${index}`,
      seasonId: season?.id,
      courseCategoryId: category?.id,
      start: inDays(1 + index),
      startTime: '05:00',
      endTime: '06:00',
      venue: `Raum ${index}`,
      instructorEmails: [IDA],
      participants: 5,
      reason: 'Ferien',
    })
}

test('for an instructor who is ill for two weeks, 12 lessons get an available substitute in at most 8 taps @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  await insertLessons(portal, token)
  const hand = new Hand(page)
  await hand.task('absence', async () => {
    await page.goto('/office/basics?instructorq=Away')
    const row = page.getByRole('row', { name: /Away, Ida/ })
    await hand.tap(row.getByRole('button', { name: 'Abwesenheit eintragen' }))
    await hand.tap(hand.dialog.getByRole('button', { name: '2 Wochen' }))
    await hand.tap(hand.dialog.getByRole('button', { name: 'Freie Vertretung für alle 12 Termine' }))
    await expect(hand.dialog.locator('button[aria-disabled="false"]')).toBeVisible()
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/absence.png` })
    await hand.confirm()
  })
  expect(Number.parseInt(hand.counts.absence ?? '99', 10)).toBeLessThanOrEqual(8)
  const query = { instructorEmail: IDA, from: inDays(0), to: inDays(13) }
  const read = () => portal.call(listAbsenceLessons, { query, token })
  expect((await read()).lessons).toEqual([])

  await hand.tap(hand.button('Rückgängig'))
  await hand.confirm()
  const after = await read()
  expect(after.lessons).toHaveLength(12)
  expect(after.absences).toEqual([])
})

test('free instructors are asked for a lesson, and one accepts by the link in the e-mail @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  const email = 'una.free@demo.example'
  const act = (body: object) =>
    portal.call(performAct, { body: { actId: randomUUID(), preview: false, ...body } as Act, token })
  const [season] = (await portal.call(listOfficeSeasons, { query: { limit: '500' }, token })).items
  const [category] = (await portal.call(listOfficeCategories, { query: { limit: '500' }, token })).items
  await act({ kind: 'save-instructor', email, givenName: 'Una', familyName: 'Frei' })
  const course = { seasonId: season?.id, courseCategoryId: category?.id, participants: 5, venue: 'Raum Mond' }
  const { result } = await act({
    kind: 'create-course',
    ...course,
    number: 'MOON-1',
    name: 'Mondkurs',
    start: inDays(3),
    startTime: '04:00',
    endTime: '05:00',
    reason: 'Ferien',
  })
  const hand = new Hand(page)
  const picture = (name: string) =>
    process.env.PICTURES ? page.screenshot({ path: `${process.env.PICTURES}/${name}.png` }) : null
  await page.goto(`/office/courses/${result.courseId}?tab=lessons`)
  await page.getByRole('table').getByRole('checkbox').first().check()
  await hand.tap(hand.button('Freie fragen'))
  await expect(hand.dialog.getByLabel(/^Una Frei/)).toBeChecked()
  await expect(hand.dialog.locator('button[aria-disabled="false"]')).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await picture('ask')
  await hand.confirm()
  await expect(page.getByText(/Kursleitungen gefragt/)).toBeVisible()

  const [mail] = await portal.mailsTo(email)
  const link = /\/substitute\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? ''
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Vertretung gesucht' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Übernehmen/ })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await picture('answer')
  await page.getByRole('button', { name: /^Übernehmen/ }).click()
  await expect(page.getByText('Danke! Der Termin gehört Ihnen')).toBeVisible()
  await picture('accepted')
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`/office/courses/${result.courseId}?tab=lessons`)
  await expect(page.getByRole('cell', { name: 'Una Frei' })).toBeVisible()
})
