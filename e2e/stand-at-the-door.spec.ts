import { getCourseDates } from '#contract/endpoints/attendance.ts'
import {
  addLessonToday,
  courseWithoutLessonToday,
  enterAsInstructor,
  expectAllArrived,
  expectState,
  loginInstructor,
  NOT_PRESENT,
  openList,
  openRunningList,
  performAtDesk,
  readTicks,
  rowOf,
  stayLoggedIn,
  tickAbsent,
  tickButtons,
  tickOf,
} from './attendance-steps.ts'
import { expect, test } from './fixtures.ts'

test('recording all participants takes one tap each plus two, including opening the app', async ({ portal, page }) => {
  const { id: token } = await loginInstructor(portal)
  // The lesson starts now, because on some days another course, whose list other tests change, has a later one.
  await addLessonToday(portal, await courseWithoutLessonToday(portal, token))
  await page.addInitScript(() => {
    const felt: string[] = []
    const request = async (kind: string) => {
      felt.push(kind)
      return { release: async () => undefined }
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
    Object.assign(navigator, { vibrate: () => felt.push('tick') > 0 })
    Object.assign(window, { felt })
  })
  await stayLoggedIn(page.context(), token)

  let taps = 0
  const tap = async (target: { click(): Promise<void> }) => {
    taps += 1
    await target.click()
  }
  // Opens the app by its icon on the home screen.
  await tap({ click: async () => void (await page.goto('/home')) })
  await tap(page.getByRole('link', { name: 'Ihr nächster Termin als Kursleitung' }))
  await expect(page.getByRole('combobox', { name: 'Termin' }).locator('option:checked')).toHaveText(
    /^heute, \d\d:\d\d · /,
  )
  const people = await tickButtons(page).count()
  expect(people).toBeGreaterThanOrEqual(10)
  // On some days another course has a lesson before the added one, and other tests have marked some of its
  // participants.
  const open = (await readTicks(page)).flatMap((label, at) => (NOT_PRESENT.test(label) ? [at] : []))
  for (const at of open) await tap(tickButtons(page).nth(at))
  await expect(page.getByText(`Fertig für heute: ${people} von ${people}`)).toBeVisible()
  await expectAllArrived(page)
  expect(taps).toBe(open.length + 2)
  // The screen stays on, and each tap vibrates.
  const felt = await page.evaluate(() => (window as unknown as { felt: string[] }).felt)
  expect(felt).toContain('screen')
  expect(felt.filter(what => what === 'tick')).toHaveLength(open.length)
  const id = Number(/^\/course-participation\/(\d+)/.exec(new URL(page.url()).pathname)?.[1])
  const { participants } = await portal.call(getCourseDates, { params: { id }, token })
  expect(participants.filter(({ isUserPresent }) => isUserPresent)).toHaveLength(people)
})

test('the attendance list fills the screen, and typing a letter finds a name @extended', async ({ portal, page }) => {
  const { courseId } = await enterAsInstructor(portal, page.context(), 1)
  const countInSight = () =>
    tickButtons(page).evaluateAll(rows => {
      const isUncovered = (row: Element) => {
        const { left, right, top, bottom } = row.getBoundingClientRect()
        const at = (y: number) => document.elementFromPoint((left + right) / 2, y)
        return row.contains(at(top + 2)) && row.contains(at(bottom - 2))
      }
      return rows.filter(isUncovered).length
    })
  for (const [width, height, least] of [
    [390, 844, 8],
    [320, 568, 5],
  ] as const) {
    await page.setViewportSize({ width, height })
    await openList(page, courseId)
    await expectAllArrived(page)
    expect(await countInSight(), `${width} × ${height}`).toBeGreaterThanOrEqual(least)
  }
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await page.setViewportSize({ width: 820, height: 1180 })
  const lefts = await tickButtons(page).evaluateAll(rows => rows.slice(0, 2).map(row => row.getBoundingClientRect().x))
  expect(lefts[1]).toBeGreaterThan(lefts[0] ?? 0)

  const all = await readTicks(page)
  const letter = all[3]?.[0] ?? ''
  await page.getByRole('searchbox', { name: 'Name suchen' }).fill(letter.toLowerCase())
  const found = await readTicks(page)
  expect(found).toContain(all[3])
  expect(found.length).toBeLessThan(all.length)
  for (const label of found) expect(label).toMatch(new RegExp(`(?:^|[\\s,-])${letter}`, 'i'))
})

test('a walk-in guest added offline is sent once and can be removed', async ({ portal, page }) => {
  const { token, courseId } = await openRunningList(portal, page.context(), 2)
  const name = 'Özge Ohneplatz'
  const guests = async () => {
    const { courseDates } = await portal.call(getCourseDates, { params: { id: courseId }, token })
    return courseDates.flatMap(date => date.guests ?? []).filter(guest => guest.name === name)
  }
  await page.context().setOffline(true)
  await page.getByRole('searchbox', { name: 'Name suchen' }).fill(name)
  await expect(page.getByText(`Niemand auf dieser Liste heißt „${name}“.`)).toBeVisible()
  // The guest's name is prefilled with the search text that matched no participant.
  await expect(page.getByRole('textbox', { name: 'Name der Person' })).toHaveValue(name)
  await page.getByRole('button', { name: 'Hinzufügen' }).click()
  await expectState(page, [name], 'auf diesem Gerät')
  expect(await tickButtons(page).count()).toBeGreaterThan(5)
  await page.context().setOffline(false)
  await expectState(page, [name], 'bestätigt')
  await expect.poll(guests).toHaveLength(1)
  await page.reload()
  await expectState(page, [name], 'bestätigt')
  await page.getByRole('button', { name: `${name}: Notiz zurücknehmen` }).click()
  await expect(rowOf(page, name)).toHaveCount(0)
  await expect.poll(guests).toEqual([])
})

test('an attendance change for a lesson cancelled in the meantime is reported with the participant’s name @extended', async ({
  portal,
  page,
}) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await courseWithoutLessonToday(portal, token)
  // In the future whenever this test runs, because past cancelled lessons are not shown.
  const courseDateId = await addLessonToday(portal, courseId, '23:58')
  await stayLoggedIn(page.context(), token)
  await openList(page, courseId)
  const choice = page.getByRole('combobox', { name: 'Termin' })
  await expect(choice.locator('option:checked')).toContainText('heute')
  await page.context().setOffline(true)
  const [name = ''] = await tickAbsent(page, 1)
  await expect(tickOf(page, name)).toBeChecked()
  await performAtDesk(portal, { kind: 'cancel-lesson', courseDateId, note: 'Halle gesperrt', note2: 'Hall closed' })
  await page.context().setOffline(false)
  const left = page.getByRole('region', { name: 'Ohne Zeile in der Liste' })
  await expect(left).toContainText(name)
  await expect(left).toContainText('Dieser Termin fällt aus.')
  await page.goto('/courses/instructor')
  await openList(page, courseId)
  await expect(page.getByText('(Halle gesperrt)')).toBeVisible()
  await expect(choice.locator('option:disabled')).toContainText(['fällt aus'])
  await left.getByRole('button', { name: /übernehmen: |^Stand des Portals nehmen/ }).click()
  await expect(left).toHaveCount(0)
  await page.goto('/home')
  const plan = page.getByRole('region', { name: 'Mein Plan' })
  await expect(plan.getByText('Änderungen in Ihrem Plan')).toBeVisible()
  await expect(plan.getByRole('listitem').filter({ hasText: '23:58' }).last()).toContainText('fällt aus')
})
