import { randomUUID } from 'node:crypto'
import type { Act } from '#contract/acts/acts.ts'
import { performAct } from '#contract/office/office.ts'
import { listOfficeCategories, listOfficeInstructors, listOfficeSeasons } from '#contract/office/programme.ts'
import { overflowOf, violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, test, WITHOUT_WORKER } from './fixtures.ts'
import { inDays } from './programme-steps.ts'
import { Hand } from './season-steps.ts'

test.use(WITHOUT_WORKER)

const QUERY = { limit: '500' }

test('the name of an imported programme becomes an instructor of its courses, who is sent to them @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  const familyName = `Zuordnung${randomUUID().slice(0, 4)}`
  const name = `Ida ${familyName}`
  const email = `${familyName.toLowerCase()}@sport.example`
  const [season] = (await portal.call(listOfficeSeasons, { query: QUERY, token })).items
  const [category] = (await portal.call(listOfficeCategories, { query: QUERY, token })).items
  const create = async (index: number) => {
    const body = {
      actId: randomUUID(),
      preview: false,
      kind: 'create-course',
      number: `${familyName}-${index}`,
      name: `Kurs ${index}`,
      seasonId: season?.id,
      courseCategoryId: category?.id,
      start: inDays(3 + index),
      startTime: '05:00',
      endTime: '06:00',
      venue: `${familyName} ${index}`,
      instructor: name,
      participants: 5,
      reason: 'Ferien',
    } as Act
    expect((await portal.call(performAct, { body, token })).status).toBe('Ok')
  }
  await create(1)
  await create(2)
  const listed = async () => {
    const { items, unknown } = await portal.call(listOfficeInstructors, { query: QUERY, token })
    return {
      teaching: items.find(one => one.email === email)?.teaching,
      isUnknown: unknown.some(one => one.name === name),
    }
  }
  expect(await listed()).toEqual({ teaching: undefined, isUnknown: true })

  const hand = new Hand(page)
  await page.goto('/office/basics')
  await hand.task('assign', async () => {
    await hand.tap(hand.button(/Kursleitung(?:en)? zuordnen$|einer Kursleitung zuordnen$/))
    const row = hand.dialog.getByRole('row', { name: new RegExp(name) })
    await expect(row.getByRole('cell', { name: '2', exact: true })).toHaveCount(2)
    await row.getByLabel(name).fill(email)
    await expect(hand.dialog).toContainText(
      '2 Kurse mit 2 Terminen haben dann eine Kursleitung. 1 Kursleitung wird angelegt.',
    )
    expect(await violationsInBothSchemes(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.screenshot({ path: test.info().outputPath('assign.png') })
    await hand.confirm()
  })
  expect(Number.parseInt(hand.counts.assign ?? '99', 10)).toBeLessThanOrEqual(2)
  expect(await listed()).toEqual({ teaching: 2, isUnknown: false })
  const [mail] = await portal.mailsTo(email, 1)
  expect(mail?.text).toContain(`${familyName}-1`)
  expect(mail?.text).toContain(`${familyName}-2`)
  expect(mail?.text).toContain('/courses/instructor')
  expect(mail?.text).not.toContain('/courses/booked')
})
