import { randomUUID } from 'node:crypto'
import type { Act } from '#contract/acts/acts.ts'
import { performAct } from '#contract/office/office.ts'
import { listOfficeCategories, listOfficeSeasons } from '#contract/office/programme.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { germanDate, inDays } from './programme-steps.ts'
import { Hand } from './season-steps.ts'

test.use(WITHOUT_WORKER)

const HALL = 'Halle am Zapfhahn'
const COURSES = 5
/** Hours and days on which the demo has no lesson. */
const [MONDAY, START, END] = [
  [...Array(7).keys()].map(day => inDays(1 + day)).find(day => new Date(day).getUTCDay() === 1) ?? '',
  '05:00',
  '06:00',
]
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** A hall with a course on each day of a week, and a second one without any. */
async function insertHall(portal: Portal, token: string): Promise<void> {
  const act = async (body: object) => {
    const answer = await portal.call(performAct, { body: { actId: randomUUID(), ...body } as Act, token })
    expect(answer.status, JSON.stringify(answer)).toBe('Ok')
    return answer.result
  }
  const query = { limit: '500' }
  const [season] = (await portal.call(listOfficeSeasons, { query, token })).items
  const [category] = (await portal.call(listOfficeCategories, { query, token })).items
  await act({ kind: 'save-room', name: HALL, site: 'Zapfort', capacity: 20 })
  await act({ kind: 'save-room', name: 'Ersatzhalle', site: 'Zapfort', capacity: 20 })
  for (let index = 0; index < COURSES; index += 1)
    await act({
      kind: 'create-course',
      number: `TAP-${index}`,
      name: `Zapfkurs ${index}`,
      seasonId: season?.id,
      courseCategoryId: category?.id,
      start: addDays(MONDAY, index),
      startTime: START,
      endTime: END,
      venue: HALL,
      city: 'Zapfort',
      participants: 5,
      reason: 'Ferien',
    })
}

/** The most taps that each task may take; texts and dates are typed. */
const MOST = {
  'close a hall for a week with five courses, each into another hall': 8,
  'write to all who are booked in a hall next week': 4,
  'find a day of a later month in the plan': 3,
  'see who has not received the invoice': 2,
}

test('the desk closes a hall, writes to a week, enters a list and finds a day and an invoice in few taps @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  test.slow()
  const token = await loginAs('desk')
  await insertHall(portal, token)
  const hand = new Hand(page)
  const picture = (name: string) =>
    process.env.PICTURES ? page.screenshot({ path: `${process.env.PICTURES}/${name}.png` }) : null
  await page.goto('/office/basics?roomq=Zapfhahn')
  await hand.task('close a hall for a week with five courses, each into another hall', async () => {
    await hand.tap(page.getByRole('row', { name: new RegExp(HALL) }).getByRole('button', { name: /^Sperren/ }))
    await hand.write('Erster Tag', germanDate(MONDAY))
    await hand.write('Letzter Tag', germanDate(addDays(MONDAY, 6)))
    await hand.tap(hand.dialog.getByRole('button', { name: `Freier Raum für alle ${COURSES} Termine` }))
    await picture('closure')
    await hand.giveReasonIfAsked()
    await hand.confirm()
  })
  await page.goto('/office')
  await hand.task('write to all who are booked in a hall next week', async () => {
    await hand.tap(hand.place('Nachrichten'))
    await hand.choose(page.getByLabel('An', { exact: true }), 'filter')
    await hand.choose(page.getByLabel('Raum', { exact: true }), { label: `${HALL}, Zapfort` })
    await hand.tap(page.getByRole('button', { name: 'Nächste Woche' }))
    await expect(page.getByRole('button', { name: 'Nächste Woche' })).toHaveAttribute('aria-pressed', 'true')
    await picture('audience')
  })
  await page.goto('/office/season')
  const far = addDays(MONDAY, 70)
  await hand.task('find a day of a later month in the plan', async () => {
    await hand.tap(hand.button('Zum Tag'))
    await picture('plan')
    await page.getByLabel('Zum Tag').last().fill(germanDate(far))
    await expect(page.getByText(germanDate(addDays(far, 6)))).toBeVisible()
  })
  await page.goto('/office')
  let present = 0
  await hand.task('enter a list from paper', async () => {
    await hand.tap(
      page
        .getByRole('main')
        .getByRole('button', { name: /^Liste eintragen/ })
        .first(),
    )
    const people = hand.dialog.getByRole('checkbox')
    await people.first().waitFor()
    present = Math.min(2, await people.count())
    for (let index = 0; index < present; index += 1) await hand.tap(people.nth(index))
    await picture('paper')
    await hand.confirm()
  })
  await hand.task('see who has not received the invoice', async () => {
    await hand.tap(hand.place('Geld'))
    await hand.choose(page.getByLabel('Welche Rechnungen'), { label: 'Nicht zugestellte' })
    await expect(page).toHaveURL(/invoices=undelivered/)
    await picture('invoices')
  })
  for (const [task, most] of Object.entries({ ...MOST, 'enter a list from paper': 4 + present }))
    expect(Number.parseInt(hand.counts[task] ?? '99', 10), task).toBeLessThanOrEqual(most)
})
