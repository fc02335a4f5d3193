import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Act } from '#contract/acts/acts.ts'
import { listOfficeCourses, performAct } from '#contract/office/office.ts'
import { listCourseTemplates, listOfficeCategories, listOfficeSeasons } from '#contract/office/programme.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { germanDate, inDays } from './programme-steps.ts'
import { Hand } from './season-steps.ts'

test.use(WITHOUT_WORKER)

const QUERY = { limit: '500' }

const actFor =
  (portal: Portal, token: string) =>
  async (body: object): Promise<Record<string, unknown>> => {
    const answer = await portal.call(performAct, {
      body: { actId: randomUUID(), preview: false, ...body } as Act,
      token,
    })
    expect(answer.status, JSON.stringify(answer)).toBe('Ok')
    return answer.result
  }

/** A course next week in a room of its own, with an instructor whose licence ends tomorrow. */
async function insertCourse(portal: Portal, token: string, name: string) {
  const act = actFor(portal, token)
  const [season] = (await portal.call(listOfficeSeasons, { query: QUERY, token })).items
  const [category] = (await portal.call(listOfficeCategories, { query: QUERY, token })).items
  const email = `${name.toLowerCase()}@sport.example`
  const licence = { licence: 'DOSB C', licenceUntil: inDays(1) }
  await act({ kind: 'save-instructor', email, familyName: name, givenName: 'Ida', ...licence })
  const { courseId } = await act({
    kind: 'create-course',
    number: name,
    name: `Yoga ${name}`,
    seasonId: season?.id,
    courseCategoryId: category?.id,
    start: inDays(7),
    startTime: '05:00',
    endTime: '06:00',
    venue: `Halle ${name}`,
    city: 'Salzstadt',
    instructorEmails: [email],
    participants: 7,
    fee: 43,
    reason: 'Ferien',
  })
  return { courseId: Number(courseId), seasonId: season?.id ?? 0, act }
}

test('a course becomes a template, and a new course is created from it @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  const name = `Vorlage${randomUUID().slice(0, 4)}`
  const { courseId, seasonId, act } = await insertCourse(portal, token, name)
  const hand = new Hand(page)
  await page.goto(`/office/courses/${courseId}`)
  await hand.tap(hand.button('Als Vorlage merken'))
  await hand.write('Name der Vorlage', name)
  expect(await violationsInBothSchemes(page)).toEqual([])
  await hand.confirm()
  const templates = async () =>
    (await portal.call(listCourseTemplates, { query: QUERY, token })).items.filter(one => one.templateName === name)
  const [template] = await templates()
  expect(template?.fields).toMatchObject({ fee: 43, participants: 7, venue: `Halle ${name}` })
  expect(JSON.stringify(template)).not.toContain('sport.example')

  await page.goto(`/office/season?season=${seasonId}`)
  await hand.task('create', async () => {
    await hand.tap(hand.button('Kurs anlegen'))
    await hand.choose(hand.field('Vorlage'), { label: name })
    await expect(hand.field('Plätze')).toHaveValue('7')
    await hand.write('Kursnummer', `${name}-2`)
    await hand.write('Erster Tag', germanDate(inDays(9)))
    await hand.giveReasonIfAsked()
    await hand.confirm()
  })
  expect(hand.counts.create).toBe('3 taps, 2 fields')
  const query = { ...QUERY, seasonId: String(seasonId) }
  const made = (await portal.call(listOfficeCourses, { query, token })).items.find(one => one.number === `${name}-2`)
  expect(made).toMatchObject({ name: `Yoga ${name}`, places: 7, venue: `Halle ${name}`, startTime: '05:00' })

  await page.goto('/office/basics')
  await hand.tap(page.getByRole('row', { name: new RegExp(name) }).getByRole('button', { name: 'Löschen' }))
  await hand.confirm()
  expect(await templates()).toEqual([])
  await act({ kind: 'remove', what: 'course', id: made?.id })
})

test('the sheet for the door of a room is downloaded from the plan, and a licence that runs out is renewed from Today @desktop @extended', async ({
  page,
  portal,
  loginAs,
}) => {
  const token = await loginAs('desk')
  const name = `Aushang${randomUUID().slice(0, 4)}`
  const { seasonId } = await insertCourse(portal, token, name)
  const hand = new Hand(page)
  const room = `Halle ${name}`
  await page.goto(`/office/season?season=${seasonId}&day=${inDays(7)}&only=${encodeURIComponent(room)}`)
  await expect(page.getByRole('button', { name: new RegExp(`Yoga ${name}`) }).first()).toBeVisible()
  const saved = page.waitForEvent('download')
  await hand.tap(hand.button('Aushänge'))
  const file = await saved
  expect(file.suggestedFilename()).toBe(`rooms-${inDays(7)}.pdf`)
  const [sheet = '', ...more] = readPdfPages(await readFile(await file.path()))
  expect(more).toEqual([])
  for (const part of [room, 'Salzstadt', '05:00', `Yoga ${name}`, `Ida ${name}`]) expect(sheet).toContain(part)

  await page.goto('/office?all=licences')
  const line = page.getByRole('listitem').filter({ hasText: `Ida ${name}` })
  await expect(line).toContainText('DOSB C')
  await expect(line).toContainText('1 Termin danach')
  expect(await violationsInBothSchemes(page)).toEqual([])
  await hand.tap(line.getByRole('link', { name: `Lizenz eintragen: Ida ${name}` }))
  await hand.write('Lizenz gültig bis', germanDate(inDays(400)))
  await hand.confirm()
  await page.goto('/office?all=licences')
  await expect(page.getByRole('link', { name: 'Zurück zu Heute' })).toBeVisible()
  await expect(page.getByText(`Ida ${name}`)).toHaveCount(0)
})
