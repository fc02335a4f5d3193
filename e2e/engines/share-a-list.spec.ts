import {
  type CourseDates,
  changePresence,
  getCourseDates,
  recordedAttendanceOf,
} from '#contract/endpoints/attendance.ts'
import { listInstructorCourses } from '#contract/endpoints/courses.ts'
import {
  addLessonToday,
  createCourse,
  loginInstructor,
  openDesk,
  performAtDesk,
  runningCourse,
} from '../attendance-steps.ts'
import { expect, type Portal } from '../fixtures.ts'
import { Gate } from '../gate-fixture.ts'
import { openList, tickAtOnce, unrecorded, untilTicked } from './attendance-list-steps.ts'
import type { Engine, Tab } from './driver.ts'
import { findEngine, test } from './engine-fixture.ts'
import { press, start, until } from './tab-steps.ts'

const untilShown = (tab: Tab, name: string, isShown: boolean) =>
  until(
    tab,
    `${name} ${isShown ? 'in' : 'not in'} the list`,
    (wanted, expected) => expected === (document.querySelector(`main li button[aria-label^="${wanted}: "]`) !== null),
    name,
    isShown,
  )

test('an open list follows other devices, and a change of everybody and its undo leave what those have recorded @extended', async ({
  portal,
  gate,
  launch,
}) => {
  const { id: token } = await loginInstructor(portal)
  const courseId = await runningCourse(portal, token, 2)
  const courseDateId = await addLessonToday(portal, courseId)
  const { tab } = await launch()
  await start(tab, gate.url, token)
  await openList(tab, `${gate.url}/course-participation/${courseId}`)
  const [online = '', offline = '', confirmed = '', late = ''] = await unrecorded(tab)

  const read = async (): Promise<CourseDates['participants']> => {
    const { courseDates } = await portal.call(getCourseDates, { params: { id: courseId }, token })
    return courseDates.find(({ id }) => id === courseDateId)?.participants ?? []
  }
  const personNamed = async (name: string) => (await read()).find(of => of.name === name)?.id ?? 0
  /** A second phone. */
  const tickElsewhere = async (name: string) => {
    const body = { changeState: 'added', courseDateId, webUserId: await personNamed(name) } as const
    expect(await portal.call(changePresence, { token, body })).toMatchObject({ status: 'Ok' })
  }
  const recorded = async () =>
    Object.fromEntries((await read()).map(person => [person.name, recordedAttendanceOf(person)]))

  await tickElsewhere(online)
  await untilTicked(tab, [online], '')

  gate.isOpen = false
  await tickAtOnce(tab, [confirmed])
  await untilTicked(tab, [confirmed], 'auf diesem Gerät')
  await tickElsewhere(offline)
  await press(tab, 'button', /^Rest fehlt$/)
  gate.isOpen = true
  await press(tab, 'button', /^Senden$/)
  await expect.poll(recorded).toMatchObject({ [online]: 'present', [offline]: 'present', [confirmed]: 'present' })
  await expect.poll(async () => Object.values(await recorded()).includes('none')).toBe(false)
  await untilTicked(tab, [online, confirmed], '')

  // The other phone records a latecomer; then this phone undoes its bulk change.
  await tickElsewhere(late)
  await press(tab, 'button', /^Rückgängig$/)
  await expect.poll(recorded).toMatchObject({ [online]: 'present', [offline]: 'present', [late]: 'present' })
  await expect.poll(async () => Object.values(await recorded()).filter(mark => mark === 'absent')).toEqual([])

  // Who was there when today's lesson began stays in its list.
  await press(tab, 'button', /^Nächster Termin$/)
  await untilShown(tab, online, true)
  const leaving = await personNamed(online)
  await performAtDesk(portal, { kind: 'cancel-booking', courseId, webUserId: leaving, charge: 'none' })
  await untilShown(tab, online, false)
  await performAtDesk(portal, { kind: 'book', courseId, webUserId: leaving })
  await untilShown(tab, online, true)
})

const PEOPLE = 31

/** A course with a lesson today for this many people of the instructor's other courses. */
async function createFullCourse(portal: Portal, token: string): Promise<number> {
  const courses = await portal.call(listInstructorCourses, { token })
  const people = new Map<number, string>()
  for (const { id } of courses) {
    const { participants } = await portal.call(getCourseDates, { params: { id: String(id) }, token })
    for (const person of participants)
      if (![...people.values()].includes(person.name)) people.set(person.id, person.name)
  }
  const later = new Date(Date.now() + 48 * 3_600_000)
  const dates = [new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(later)]
  const { id: courseId } = await createCourse(portal, { dates, participants: PEOPLE })
  // Passwords are slow to check: 31 logins in a row exceed what a busy machine serves.
  const perform = await openDesk(portal)
  for (const webUserId of [...people.keys()].slice(0, PEOPLE)) await perform({ kind: 'book', courseId, webUserId })
  await addLessonToday(portal, courseId, '23:58')
  return courseId
}

/** Advances the clock of the page, as seen by the app, while its timers continue. */
const advanceClock = (tab: Tab, byMs: number) =>
  tab.evaluate(ms => {
    const RealDate = Date
    const now = () => RealDate.now() + ms
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, args) => (args.length === 0 ? new target(now()) : Reflect.construct(target, args)),
      get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
    })
  }, byMs)

/** How many rows offer this choice between two marks. */
const countChoices = (tab: Tab, choice: string) =>
  tab.evaluate(label => document.querySelectorAll(`main li [aria-label^="${label}: "]`).length, choice)

/** Takes this choice in as many rows. */
async function decide(tab: Tab, choice: string, count: number): Promise<void> {
  for (let open = count; open > 0; open -= 1) {
    const before = await countChoices(tab, choice)
    await press(tab, 'main li button', new RegExp(`^${choice}: `))
    await expect.poll(() => countChoices(tab, choice)).toBe(before - 1)
  }
}

/** Marks in this list by name, as soon as the portal has received all of them. */
async function confirmedMarks(tab: Tab): Promise<Record<string, string>> {
  await until(
    tab,
    'all confirmed',
    () => document.querySelector('main')?.innerText.includes('Alles ist beim Portal') === true,
  )
  return tab.evaluate(() => {
    const labels = [...document.querySelectorAll('main li [role="switch"]')].map(
      row => row.getAttribute('aria-label') ?? '',
    )
    return Object.fromEntries(labels.map(label => label.split(': ')))
  })
}

/** Each phone has another engine, where it is installed. */
test('three phones on one list of 31 people, one of them offline for ten minutes, end with what each has seen confirmed @mixed @extended', async ({
  portal,
  gate,
  engine,
  launch,
}) => {
  test.slow()
  const { id: token } = await loginInstructor(portal)
  const courseId = await createFullCourse(portal, token)
  const ownGate = await Gate.before(portal)
  const open = async (device: string, name: Engine['name'], { url } = gate) => {
    const { tab } = await launch(device, (await findEngine[name]()) ?? engine)
    await start(tab, url, token)
    await openList(tab, `${url}/course-participation/${courseId}`)
    return tab
  }
  const offline = await open('offline', 'webkit', ownGate)
  const [first, second] = [await open('first', 'chromium'), await open('second', 'firefox')]
  const names = await unrecorded(offline)
  expect(names).toHaveLength(PEOPLE)
  const [unsent, firsts, seconds] = [names.slice(0, 8), names.slice(8, 14), names.slice(14, 20)]

  ownGate.isOpen = false
  await tickAtOnce(offline, unsent)
  await untilTicked(offline, unsent, 'auf diesem Gerät')
  await advanceClock(offline, 600_000)
  await Promise.all([tickAtOnce(first, firsts), tickAtOnce(second, seconds)])
  await Promise.all([untilTicked(first, firsts, 'bestätigt'), untilTicked(second, seconds, 'bestätigt')])
  await press(first, 'button', /^Rest fehlt$/)
  for (const tab of [first, second])
    await until(tab, 'all recorded', () => {
      const isSent = [...document.querySelectorAll('main li')].every(row => !/wird ge|auf diesem/.test(row.textContent))
      return isSent && !document.querySelector('main li [aria-label$=": nicht erfasst"]')
    })
  // Those whom the second phone had ticked before the first one knew.
  await decide(first, '„da“ übernehmen', await countChoices(first, '„da“ übernehmen'))

  await press(offline, 'button', /^Rest fehlt$/)
  ownGate.isOpen = true
  await press(offline, 'button', /^Senden$/)
  // Those whom it had ticked are absent by the first phone, and those whom the others had ticked by its own bulk change.
  await expect.poll(() => countChoices(offline, '„da“ eintragen')).toBe(unsent.length)
  await expect.poll(() => countChoices(offline, '„da“ übernehmen')).toBe(firsts.length + seconds.length)
  await press(offline, 'button', new RegExp(`^Bei ${firsts.length + seconds.length} Personen das Eingetragene lassen$`))
  await expect.poll(() => countChoices(offline, '„da“ übernehmen')).toBe(0)
  await decide(offline, '„fehlt“ übernehmen', 1)
  await decide(offline, '„da“ eintragen', unsent.length - 1)

  const present = [...unsent.slice(1), ...firsts, ...seconds]
  const expected = Object.fromEntries(names.map(name => [name, present.includes(name) ? 'da' : 'fehlt']))
  for (const tab of [offline, first, second]) {
    await until(
      tab,
      'all marks',
      wanted =>
        Object.entries(wanted).every(([name, mark]) =>
          document.querySelector(`main li [aria-label="${name}: ${mark}"]`),
        ),
      expected,
    )
    expect(await confirmedMarks(tab)).toEqual(expected)
  }
  const { participants } = await portal.call(getCourseDates, { params: { id: String(courseId) }, token })
  const recorded = participants.map(person => [
    person.name,
    recordedAttendanceOf(person) === 'present' ? 'da' : 'fehlt',
  ])
  expect(Object.fromEntries(recorded)).toEqual(expected)
  expect(ownGate.faults).toEqual([])
  await ownGate.close()
})
