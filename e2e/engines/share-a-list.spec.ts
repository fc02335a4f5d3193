import {
  type CourseDates,
  changePresence,
  getCourseDates,
  recordedAttendanceOf,
} from '#contract/endpoints/attendance.ts'
import { addLessonToday, loginInstructor, performAtDesk, runningCourse } from '../attendance-steps.ts'
import { expect } from '../fixtures.ts'
import { openList, tickAtOnce, unrecorded, untilTicked } from './attendance-list-steps.ts'
import { test } from './engine-fixture.ts'
import { press, start, until } from './tab-steps.ts'

/** Within this time, an open list shows what other devices have changed. */
const FOLLOWED_MS = 10_000

const untilShown = (tab: Parameters<typeof until>[0], name: string, isShown: boolean) =>
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

  const since = performance.now()
  await tickElsewhere(online)
  await untilTicked(tab, [online], '')
  expect(performance.now() - since).toBeLessThan(2 * FOLLOWED_MS)

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
