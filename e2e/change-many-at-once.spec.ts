import { randomUUID } from 'node:crypto'
import type { Act } from '#contract/acts/acts.ts'
import { getOfficeCourse, listOfficeCourses, performAct } from '#contract/office/office.ts'
import { listOfficeCategories, listOfficeSeasons } from '#contract/office/programme.ts'
import { test as base, expect, type Portal, portalWith, WITHOUT_WORKER } from './fixtures.ts'
import { inDays } from './programme-steps.ts'
import { Hand } from './season-steps.ts'

/** The courses created here would change the number of courses that other test files expect. */
const test = base.extend<object, { portal: Portal }>({ portal: portalWith() })

test.use(WITHOUT_WORKER)

const COUNT = 30
const QUERY = { limit: '500' }

async function insertCourses(portal: Portal, token: string, name: string): Promise<{ seasonId: number }> {
  const [season] = (await portal.call(listOfficeSeasons, { query: QUERY, token })).items
  const [category] = (await portal.call(listOfficeCategories, { query: QUERY, token })).items
  const seasonId = season?.id ?? 0
  for (let index = 0; index < COUNT; index += 1) {
    const body = {
      actId: randomUUID(),
      preview: false,
      kind: 'create-course',
      number: `${name}-${index}`,
      name: `${name} ${index}`,
      seasonId,
      courseCategoryId: category?.id,
      start: inDays(120),
      end: inDays(200),
      startTime: '05:00',
      endTime: '06:00',
      venue: `${name} ${index}`,
      participants: 5,
      fee: 10,
    } as Act
    expect((await portal.call(performAct, { body, token })).status).toBe('Ok')
  }
  return { seasonId }
}

test('bulk actions change the fee of 30 courses, confirm them, and move all lessons of one course @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  const name = `Viele${randomUUID().slice(0, 4)}`
  const { seasonId } = await insertCourses(portal, token, name)
  const read = async () =>
    (await portal.call(listOfficeCourses, { query: { ...QUERY, seasonId: String(seasonId) }, token })).items.filter(
      ({ number }) => number.startsWith(name),
    )
  const idOf = async () => (await read())[0]?.id ?? 0
  const readOne = async () => portal.call(getOfficeCourse, { params: { id: await idOf() }, token })
  const hand = new Hand(page)
  await page.goto(`/office/season?season=${seasonId}&q=${name}`)
  const selectAll = (table: string) =>
    hand.tap(page.getByRole('table', { name: table }).getByRole('checkbox', { name: 'Alle auswählen' }))
  await hand.task('price', async () => {
    await selectAll('Kurse')
    await hand.tap(hand.button(`${COUNT} Kurse ändern`))
    await hand.write('Kursgebühr (€)', '30')
    await expect(hand.dialog.locator('button[aria-disabled="false"]')).toBeVisible()
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/courses.png` })
    await hand.confirm()
  })
  expect(Number.parseInt(hand.counts.price ?? '99', 10)).toBeLessThanOrEqual(6)
  expect((await readOne()).columns).toMatchObject({ fee: 30, confirmed: false, participants: 5 })

  await selectAll('Kurse')
  await hand.tap(hand.button(`${COUNT} Kurse zusagen`))
  let calls = 0
  page.on('request', request => {
    if (request.url().endsWith('/api/office/acts')) calls += 1
  })
  await hand.confirm()
  // One request for the preview and one for the act, not one per course.
  expect(calls).toBeLessThanOrEqual(3)
  expect((await read()).every(({ confirmed }) => confirmed)).toBe(true)

  const before = (await readOne()).lessons.map(({ date }) => date)
  await page.goto(`/office/courses/${await idOf()}?tab=lessons`)
  await selectAll(`Termine (${before.length})`)
  await hand.tap(hand.button(`${before.length} Termine ändern`))
  await hand.choose(hand.field('Verschieben'), { label: 'Einen Tag später' })
  await hand.giveReasonIfAsked()
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/lessons.png` })
  await hand.confirm()
  const moved = (await readOne()).lessons.map(({ date }) => date)
  expect(moved).not.toEqual(before)
  await hand.tap(hand.button('Rückgängig'))
  await expect(page.getByText('Rückgängig gemacht')).toBeVisible()
  expect((await readOne()).lessons.map(({ date }) => date)).toEqual(before)
})
