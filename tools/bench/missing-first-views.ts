import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bookCourse, cancelCourse } from '../../contract/endpoints/courses.ts'
import { login } from '../../contract/endpoints/session.ts'
import { performAct } from '../../contract/office/office.ts'
import { DEMO_PASSWORD, emailOf, Portal } from '../../e2e/portal.ts'
import { coursesOf } from '../../e2e/programme-steps.ts'
import { report } from './report.ts'

/**
 * node tools/bench/missing-first-views.ts [SECONDS]: pages that arrive without server-rendered HTML, ten a second from the
 * first answer after a start, while a person books and cancels and the programme changes every five seconds, beside eight
 * processes that never rest.
 */
const seconds = Number(process.argv[2] ?? 60)
const BUSY = 8
const PAGE_EVERY_MS = 100
const CHANGE_EVERY_MS = 5_000
const BOOKING_EVERY_MS = 200

const portal = await Portal.open()
await portal.stop()
const busy = Array.from({ length: BUSY }, () => spawn(process.execPath, ['-e', 'for (;;);']))
process.on('exit', () => {
  for (const child of busy) child.kill('SIGKILL')
})
await portal.start()

const until = performance.now() + seconds * 1_000
const tally = { pages: 0, missing: 0, bookings: 0, changes: 0 }
/** Starts `work` at a fixed interval, however long each takes. */
async function every(ms: number, work: (turn: number) => Promise<unknown>): Promise<void> {
  const running: Promise<unknown>[] = []
  for (let turn = 0; performance.now() < until; turn++) {
    running.push(work(turn))
    await sleep(ms)
  }
  await Promise.all(running)
}
const logIn = (account: 'employee' | 'desk') =>
  portal.call(login, { body: { userName: emailOf(account), password: DEMO_PASSWORD, keepSession: true } })

const see = async (turn: number) => {
  const page = await fetch(`${portal.url}${turn % 2 ? '/courses' : '/home'}`)
  tally.pages += 1
  if (!(await page.text()).includes('data-first-view=')) tally.missing += 1
}
const books = async () => {
  const { id: token } = await logIn('employee')
  const free = (await coursesOf(portal, token)).find(({ directlyBookable }) => directlyBookable)
  if (!free) throw new Error('no course can be booked')
  await every(BOOKING_EVERY_MS, async turn => {
    await portal.call(turn % 2 ? cancelCourse : bookCourse, { body: { id: free.id }, token }).catch(() => null)
    tally.bookings += 1
  })
}
const changes = async () => {
  const { id: token } = await logIn('desk')
  const [course] = await coursesOf(portal, token)
  await every(CHANGE_EVERY_MS, async turn => {
    const change = {
      kind: 'change-course',
      courseId: course?.id ?? 0,
      name: `${course?.name} ${turn}`,
      quiet: true,
      reason: 'Messung',
    } as const
    const { status, message } = await portal.call(performAct, {
      body: { actId: randomUUID(), preview: false, ...change },
      token,
    })
    if (status !== 'Ok') throw new Error(message)
    tally.changes += 1
  })
}
await Promise.all([every(PAGE_EVERY_MS, see), books(), changes()])
const what = `pages without a first view, of ${tally.pages} beside ${BUSY} busy processes (${tally.bookings} bookings, ${tally.changes} changes)`
report({ what, figure: tally.missing, unit: 'pages', limit: { atMost: 0 } })
for (const child of busy) child.kill('SIGKILL')
await portal.close()
