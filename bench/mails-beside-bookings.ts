import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertCallers } from '../server/test/crowd.ts'
import { startTestMailServer } from '../server/test/mail-server.ts'
import { startPortal, stopPortals } from '../server/test/portal.ts'
import { processorMs } from './processor.ts'

/**
 * node bench/mails-beside-bookings.ts [PROCESSES]: mails sent per second during continuous bookings, after the first 15
 * s, in which mails are delayed on purpose.
 */
const [processes = '1'] = process.argv.slice(2)
const PEOPLE = 500
const COURSES = 100
const CALLERS = 32
const BEFORE_MS = 16_000
const MEASURED_MS = 20_000

const dataDir = await mkdtemp(join(tmpdir(), 'mails-beside-'))
const mailServer = await startTestMailServer()
const portal = startPortal({ DATA_DIR: dataDir, SMTP_URL: mailServer.url, PROCESSES: processes })
try {
  const url = await portal.url()
  const { tokens, courseIds } = await insertCallers(dataDir, { people: PEOPLE, courses: COURSES })
  const wanted = courseIds.flatMap(id => tokens.map(token => ({ id, token }))).values()
  const counts = { acknowledged: 0, failed: 0 }
  let isStopped = false
  const book = async () => {
    for (const { id, token } of wanted) {
      if (isStopped) return
      const headers = { SessionToken: token, 'Content-Type': 'application/json' }
      const init = { method: 'PUT', headers, body: JSON.stringify({ id }) }
      const { status } = await fetch(`${url}/api/course/coursebooking`, init)
      counts[status === 200 ? 'acknowledged' : 'failed'] += 1
      await sleep(60)
    }
  }
  const booking = Array.from({ length: CALLERS }, book)
  await sleep(BEFORE_MS)
  const before = { mails: mailServer.mails.length, ...counts, cpuMs: await processorMs(portal.pid) }
  await sleep(MEASURED_MS)
  const rate = (count: number) => (count / (MEASURED_MS / 1000)).toFixed(0)
  const cpu = ((await processorMs(portal.pid)) - before.cpuMs) / MEASURED_MS
  console.log(
    `PROCESSES=${processes}: ${rate(counts.acknowledged - before.acknowledged)} bookings and ${rate(mailServer.mails.length - before.mails)} mails a second, ${counts.failed} failed, ${(cpu * 100).toFixed(0)} % of a core in charge`,
  )
  isStopped = true
  await Promise.all(booking)
} finally {
  await stopPortals()
  await mailServer.close()
  await rm(dataDir, { recursive: true, force: true })
}
process.exit()
