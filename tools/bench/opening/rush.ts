import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { megabytesOf, percentile } from '../programmes.ts'
import { report } from '../report.ts'
import { type BenchSetup, book, hashOf } from './stage.ts'

const IDLE_MS = 20_000
const fixed = (number: number, digits = 3) => number.toFixed(digits)

/**
 * 10,000 people, each with a connection, book 100 courses of 20 places; then 10,000 externals, who cannot join waiting
 * lists, do the same.
 */
export async function measureBurst(stage: BenchSetup): Promise<void> {
  const { portal, listOf, named } = stage
  const idle = await megabytesOf(portal.pid, 'VmRSS')
  for (const [name, employeeStatus] of Object.entries({ employees: 1, externals: 2 })) {
    const crowd = { people: 10_000, courses: 100, capacity: 20, employeeStatus }
    const { tokens, courseIds } = await stage.prepare(name, crowd)
    const connections = crowd.people
    const bareIds = courseIds.map((_, index) => index + 1)
    const bareRun = await book({ url: stage.bareUrl, tokens: tokens.map(hashOf), courseIds: bareIds, connections })
    await stage.lookAtList()
    // The connections of the previous burst must be closed first.
    await sleep(2_000)
    const rush = await book({ url: stage.url, tokens, courseIds, connections })
    const [places] = await listOf<number>(
      'select count(*)::int from bookings where course_id = any($1::int[]) and state = 1',
      [courseIds],
    )
    console.log(
      `10,000 ${name} at once: ${fixed(rush.seconds, 1)} s, bare Node ${fixed(bareRun.seconds, 1)} s (${fixed(rush.seconds / bareRun.seconds, 2)} times as long), half answered after ${fixed(percentile(rush.times, 0.5) / 1000, 1)} s, ${JSON.stringify(rush.answers)}, ${places} places taken, load ${fixed(loadavg()[0] ?? 0, 1)}`,
    )
    report({
      what: `10,000 ${name} for 100 × 20 places, ${named}`,
      figure: rush.seconds,
      unit: 's',
      reference: { name: 'bare Node', figure: bareRun.seconds },
      limit: { atMost: 1.8 },
    })
    report({ what: '… places given, of 2,000', figure: places ?? 0, unit: '', limit: { atMost: 2_000 } })
    report({ what: '… calls that failed', figure: rush.answers.failed, unit: '', limit: { atMost: 0 } })
  }
  const most = await megabytesOf(portal.pid, 'VmHWM')
  report({ what: `memory with 10,000 sockets, at most, ${named}`, figure: most, unit: 'MB', limit: { atMost: 450 } })
  await sleep(IDLE_MS)
  report({
    what: `memory ${IDLE_MS / 1000} s after the rush, ${named}`,
    figure: await megabytesOf(portal.pid, 'VmRSS'),
    unit: 'MB',
    reference: { name: 'before it', figure: idle },
  })
}
