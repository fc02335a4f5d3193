import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { SentAct } from '#contract/acts/acts.ts'
import type { ParsedBodyOf } from '#contract/endpoint.ts'
import { listOfficePeople, performAct } from '#contract/office/office.ts'
import { listOfficeSeasons } from '#contract/office/programme.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { tokenOf } from './people-steps.ts'
import { DEMO_PASSWORD } from './portal.ts'
import { germanDate, inDays } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

const DESK = { email: 'desk@demo.example', password: DEMO_PASSWORD }
/** A day of next week, 0 for Monday. */
const nextWeek = (day: number) => inDays(7 + day - ((new Date(inDays(0)).getUTCDay() + 6) % 7))

type Fields<Sent = SentAct> = Sent extends SentAct ? Omit<Sent, 'actId' | 'preview' | 'reason'> : never

/** Creates a course for this test, with an additional lesson in a hall that is the first row of the week. */
async function makeCourse(portal: Portal, token: string, lessonOn: string, lastDay = lessonOn) {
  const act = async (fields: Fields) => {
    const body = { ...fields, actId: randomUUID(), preview: false, reason: 'So abgesprochen' } as ParsedBodyOf<
      typeof performAct
    >
    const answer = await portal.call(performAct, { body, token })
    expect(answer.status, answer.message).toBe('Ok')
    return answer.result
  }
  const seasons = (await portal.call(listOfficeSeasons, { token })).items
  const season = seasons.find(({ startsAt, endsAt }) => (startsAt ?? '9') <= lessonOn && lessonOn <= (endsAt ?? ''))
  const name = `Ziehen ${randomUUID().slice(0, 6)}`
  const venue = `AA ${name}`
  const { courseId } = await act({
    kind: 'create-course',
    number: name,
    name,
    name2: name,
    seasonId: season?.id ?? 0,
    courseCategoryId: 3,
    start: lessonOn,
    end: lastDay,
    dates: [lessonOn, lastDay],
    startTime: '05:00',
    endTime: '05:30',
    participants: 9,
    venue,
  })
  await act({
    kind: 'add-lesson',
    courseId: Number(courseId),
    date: lessonOn,
    startTime: '06:00',
    endTime: '06:45',
  })
  return { courseId: Number(courseId), name, venue, season: season?.id ?? 0, act }
}

/** A date on a holiday or in the past requires a reason; then the submit button appears with the preview. */
async function confirm(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const reason = dialog.getByLabel('Begründung')
  const ready = dialog.locator('button[aria-disabled="false"]')
  await expect(ready.or(reason).first()).toBeVisible()
  if (await reason.isVisible()) await reason.fill('So abgesprochen')
  await ready.click()
  await expect(dialog).toBeHidden()
}

test('a lesson is dragged to another free time slot with the mouse, and moved back by undo @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  const [monday, tuesday, thursday] = [nextWeek(0), nextWeek(1), nextWeek(3)]
  const { courseId, venue, season, act } = await makeCourse(portal, token, tuesday)
  // The plan shows only hours with lessons, and there may be no other ones during school holidays.
  await act({ kind: 'add-lesson', courseId, date: tuesday, startTime: '20:00', endTime: '20:45' })
  await page.goto(`/office/season?season=${season}&week=${monday}&zoom=1`)
  const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: venue }) })
  const cellOf = (day: number) => row.getByRole('cell').nth(day)
  const blockOn = (day: number, time: string) => cellOf(day).getByRole('button', { name: new RegExp(`^${time}`) })
  // The heights are proportional to the durations of 30 and 45 minutes.
  const heightOf = async (time: string) => (await blockOn(1, time).boundingBox())?.height ?? 0
  expect((await heightOf('06:00')) / (await heightOf('05:00'))).toBeCloseTo(1.5, 1)

  const block = await blockOn(1, '06:00').boundingBox()
  const target = await cellOf(3).boundingBox()
  if (!block || !target) throw new Error('the plan shows neither lesson nor day')
  const hour = (block.height * 60) / 45
  await page.mouse.move(block.x + 10, block.y + 5)
  await page.mouse.down()
  await page.mouse.move(target.x + 20, block.y + 5, { steps: 4 })
  await page.mouse.move(target.x + 20, block.y + 5 + hour, { steps: 4 })
  await expect(cellOf(3).getByText('07:00–07:45 frei')).toBeVisible()
  await page.mouse.up()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Tag', { exact: true })).toHaveValue(germanDate(thursday))
  await expect(dialog.getByLabel('Beginn', { exact: true })).toHaveValue('07:00')
  expect(await violationsInBothSchemes(page)).toEqual([])
  await confirm(page)
  await expect(blockOn(3, '07:00–07:45')).toBeVisible()
  await expect(blockOn(1, '06:00')).toHaveCount(0)
  // An undo within 10 s needs no dialog, and neither change sends a notification.
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await expect(page.getByText('Rückgängig gemacht, niemand wurde benachrichtigt')).toBeVisible()
  await expect(blockOn(1, '06:00')).toBeVisible()
})

test('an unrecorded lesson can be marked as cancelled, and links to the lessons of its course @desktop @extended', async ({
  page,
  portal,
  loginAs,
  person,
}) => {
  const token = await loginAs('desk')
  const { courseId, name, act } = await makeCourse(portal, token, inDays(-1), inDays(13))
  await act({ kind: 'add-lesson', courseId, date: inDays(-1), startTime: '07:00', endTime: '07:45' })
  const query = { q: person.email }
  const { items } = await portal.call(listOfficePeople, { query, token: await tokenOf(portal, DESK) })
  await act({ kind: 'book', courseId, webUserId: items[0]?.id ?? 0 })
  await page.goto('/office')
  const lines = page.getByRole('listitem').filter({ hasText: name })
  const unrecorded = page.getByRole('region', { name: 'Das braucht Sie' }).locator('section', {
    hasText: 'Anwesenheit nicht erfasst',
  })
  await unrecorded.getByRole('button', { name: /^Alle \d+ zeigen/ }).click()
  await lines
    .filter({ hasText: '06:00' })
    .getByRole('button', { name: /^Ausfall eintragen/ })
    .click()
  await confirm(page)
  await expect(lines.filter({ hasText: '06:00' })).toHaveCount(0)
  await lines.filter({ hasText: '07:00' }).getByRole('link', { name }).click()
  await page
    .getByRole('complementary')
    .getByRole('tab', { name: /^Termine/ })
    .click()
  // The lessons are in the panel, beside today's.
  await expect(page.getByRole('row', { name: /06:00 auswählen/ })).toContainText('Fällt aus')
})
