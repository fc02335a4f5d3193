import { bookCourse, listCourses } from '#contract/endpoints/courses.ts'
import { listMessages } from '#contract/endpoints/inbox.ts'
import { violationsInBothSchemes } from './accessibility-steps.ts'
import { test as base, expect, portalWith, WITHOUT_WORKER } from './fixtures.ts'
import { createPerson, type Person, tokenOf } from './people-steps.ts'
import type { Portal } from './portal.ts'
import { inDays } from './programme-steps.ts'
import { enter, Hand, makeBasics, makeCourse, PEOPLE } from './season-steps.ts'

/** A portal without any data. */
const test = base.extend<{ site: string }, { portal: Portal }>({
  portal: portalWith({ DEMO: 'off', OFFICE_PASSKEY: 'required' }),
  site: ({ portal }, use) => use(portal.url.replace('127.0.0.1', 'localhost')),
})

test.use(WITHOUT_WORKER)

test('a whole season runs from an empty portal to the last late cancellation @desktop @extended', async ({
  page,
  portal,
  site,
}) => {
  test.slow()
  const hand = new Hand(page)
  const openCourse = async (name: RegExp) => {
    await hand.tap(hand.place('Programm'))
    await hand.tap(page.getByRole('link', { name }))
  }
  // The course opens in the side panel.
  const beside = page.getByRole('complementary')
  const tab = (name: string | RegExp) => hand.tap(beside.getByRole('tab', { name }))
  const newsOf = async (person: Person) => {
    const items = await portal.call(listMessages, { token: await tokenOf(portal, person) })
    return JSON.stringify(items)
  }

  const publicCourses = async () => (await portal.call(listCourses)) as { id: number; number: string }[]

  await hand.task('rights', () => enter(page, portal, site, hand))
  await hand.task('basics', () => makeBasics(page, hand))

  await hand.task('season', async () => {
    await hand.tap(hand.place('Programm'))
    await hand.tap(hand.button('Saison anlegen'))
    await hand.write('Name (Deutsch)', 'Winter')
    await hand.write('Kürzel', 'W')
    await hand.write('Erster Tag der Saison', inDays(0))
    await hand.write('Letzter Tag der Saison', inDays(60))
    await hand.write('Sichtbar ab', `${inDays(-3)}T08:00`)
    await hand.write('Buchbar ab', `${inDays(-2)}T08:00`)
    await hand.confirm()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winter')
  })
  await hand.task('course', () => makeCourse(page, hand, 'W-01', 'Yoga am Abend', '18:00'))
  await makeCourse(page, hand, 'W-02', 'Yoga am Morgen', '08:00')
  // A draft is nowhere.
  expect(await publicCourses()).toEqual([])
  await hand.task('publish', async () => {
    await hand.tap(hand.button('Veröffentlichen'))
    await hand.confirm()
  })
  await hand.task('copy season', async () => {
    await hand.tap(hand.button('Saison kopieren'))
    await hand.write('Name (Deutsch)', 'Frühling')
    await hand.write('Kürzel', 'F')
    await hand.write('Erster Tag der Saison', inDays(70))
    await hand.write('Letzter Tag der Saison', inDays(130))
    await hand.write('Sichtbar ab', `${inDays(40)}T08:00`)
    await hand.write('Buchbar ab', `${inDays(50)}T08:00`)
    await hand.confirm()
  })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Frühling')
  await expect(page.getByRole('link', { name: 'F-01 Yoga am Abend' })).toBeVisible()

  const courses = await publicCourses()
  expect(courses.map(({ number }) => number).sort()).toEqual(['W-01', 'W-02'])
  const idOf = (number: string) => courses.find(course => course.number === number)?.id ?? 0
  const people: Person[] = []
  for (let index = 0; index < PEOPLE; index++) {
    const person = await createPerson(portal)
    people.push(person)
    const token = await tokenOf(portal, person)
    for (const number of index < 2 ? ['W-01', 'W-02'] : ['W-01'])
      expect((await portal.call(bookCourse, { token, body: { id: idOf(number) } })).status).toBe('Ok')
  }
  const [first, second] = people as [Person, Person]

  await hand.task('lesson added', async () => {
    await openCourse(/W-01/)
    await tab(/^Termine/)
    await hand.tap(hand.button('Termin hinzufügen'))
    await hand.write('Tag', inDays(1))
    await hand.giveReasonIfAsked()
    await expect(hand.dialog).toContainText(`${PEOPLE + 1} Personen bekommen eine Nachricht`)
    await hand.confirm()
  })

  // The instructor is ill: a member of the department handles it on a phone.
  await page.setViewportSize({ width: 390, height: 844 })
  await hand.task('lesson cancelled, everybody told', async () => {
    await page.goto(`${site}/office`)
    await hand.tap(page.getByRole('button', { name: /^Ausfallen lassen: Yoga am Abend/ }))
    await expect(hand.dialog).toContainText(`${PEOPLE + 1} Personen bekommen eine Nachricht`)
    await hand.confirm()
    await expect(page.getByText('Erledigt').first()).toBeVisible()
  })
  expect(await newsOf(first)).toContain('fällt aus')
  expect(await newsOf(people[PEOPLE - 1] as Person)).toContain('fällt aus')
  await page.setViewportSize({ width: 1280, height: 900 })

  await hand.task('substitute', async () => {
    await openCourse(/W-01/)
    await tab(/^Termine/)
    await hand.tap(beside.getByRole('row').nth(2).getByRole('button', { name: 'Ändern' }))
    await hand.choose(hand.field('Vertretung'), { label: 'Tal' })
    await hand.confirm()
  })
  await hand.task('another room', async () => {
    await hand.tap(beside.getByRole('row').nth(3).getByRole('button', { name: 'Ändern' }))
    await hand.choose(hand.field('Raum'), { label: 'Halle 2' })
    await expect(hand.dialog).toContainText(`${PEOPLE + 1} Personen bekommen eine Nachricht`)
    await hand.confirm()
  })
  expect(await newsOf(first)).toContain('Halle 2')
  expect(await newsOf(first)).toContain('Tal')

  await hand.task('course cancelled', async () => {
    await openCourse(/W-02/)
    await hand.tap(hand.button('Kurs ausfallen lassen'))
    await expect(hand.dialog).toContainText('2 Buchungen enden')
    await hand.confirm()
  })
  await expect.poll(() => newsOf(second)).toContain('Yoga am Morgen')

  // A person without an e-mail address books by phone: the course is full, so she joins the waiting list.
  await hand.task('person by phone', async () => {
    await hand.tap(hand.place('Personen'))
    await hand.tap(hand.button('Person anlegen'))
    await hand.write('Vorname', 'Olga')
    await hand.write('Nachname', 'Anruf')
    await hand.choose(hand.field('Status'), { label: 'Beschäftigt' })
    await hand.write('Mobiltelefon', '0171 23456')
    await hand.confirm()
    await hand.tap(hand.button('Kurs buchen'))
    await hand.write('Nummer, Name oder Ort', 'W-01')
    await hand.tap(hand.dialog.getByRole('radio').first())
    await hand.giveReasonIfAsked()
    await expect(hand.dialog).toContainText('1 Brief ist zu drucken')
    await hand.confirm()
  })
  await hand.task('late cancellation, charged', async () => {
    await openCourse(/W-01/)
    await tab(/^Personen/)
    await hand.tap(hand.button(/^Stornieren/))
    await hand.tap(hand.dialog.getByLabel(/^Voller Preis/))
    await hand.dialog.getByLabel('Begründung').fill('So abgesprochen')
    await expect(hand.dialog).toContainText('1 rückt nach')
    await expect(hand.dialog).toContainText('1 ist anzurufen')
    await hand.confirm()
  })
  await expect(page.getByRole('rowheader', { name: 'Olga Anruf' })).toBeVisible()
  await hand.task('message', async () => {
    await tab('Nachrichten')
    await hand.tap(hand.button('An die Gebuchten'))
    await hand.write('Betreff (Deutsch)', 'Matten mitbringen')
    await hand.write('Betreff (Englisch)', 'Bring a mat')
    await hand.confirm()
  })
  expect(await newsOf(people[PEOPLE - 1] as Person)).toContain('Matten mitbringen')

  const saved = async (button: string) => {
    const download = page.waitForEvent('download')
    await hand.tap(hand.button(button))
    return (await download).suggestedFilename()
  }
  await hand.task('list exported', async () => {
    await hand.tap(hand.place('Bericht'))
    expect(await saved('CSV: Buchungen und Preise')).toBe('Buchungen.csv')
  })
  await hand.task('programme exported', async () => {
    await hand.tap(hand.place('Programm'))
    await hand.tap(page.getByRole('navigation', { name: 'Seiten' }).getByRole('link', { name: 'Import' }))
    expect(await saved('Programm exportieren')).toMatch(/\.zip$/)
  })
  await hand.tap(hand.place('Heute'))
  await expect(page.getByRole('heading', { name: /^Anzurufen/ })).toBeVisible()

  // By keyboard only: finds the acts on a course, and the course itself.
  await page.keyboard.press('Control+k')
  await expect(hand.dialog.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('doch abend')
  await expect(hand.dialog.getByRole('status')).toHaveText('Nichts gefunden.')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('fällt aus abend')
  await expect(hand.dialog.getByRole('button', { name: /^Kurs ausfallen lassen: W-01 Yoga am Abend/ })).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('w-01')
  await expect(hand.dialog.getByRole('button', { name: /^W-01 Yoga am Abend/ })).toBeVisible()
  expect(await violationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/office/courses/${idOf('W-01')}$`))

  // docs/desk.md says the same.
  expect(hand.counts).toEqual({
    rights: '6 taps, 0 fields',
    basics: '13 taps, 9 fields',
    season: '3 taps, 6 fields',
    course: '3 taps, 9 fields',
    publish: '2 taps, 0 fields',
    'copy season': '2 taps, 6 fields',
    'lesson added': '5 taps, 1 fields',
    'lesson cancelled, everybody told': '2 taps, 0 fields',
    substitute: '6 taps, 0 fields',
    'another room': '3 taps, 0 fields',
    'course cancelled': '4 taps, 0 fields',
    'person by phone': '7 taps, 4 fields',
    'late cancellation, charged': '6 taps, 0 fields',
    message: '3 taps, 2 fields',
    'list exported': '2 taps, 0 fields',
    'programme exported': '3 taps, 0 fields',
  })
})
