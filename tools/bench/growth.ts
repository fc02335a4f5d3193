import { setTimeout as sleep } from 'node:timers/promises'
import { rateOf } from './calls.ts'
import { proportionalMegabytesOf } from './processor.ts'
import { openLargePortal } from './programmes.ts'
import { report } from './report.ts'

/** node tools/bench/growth.ts COURSES: measures what a programme of this size costs in import time, list size and memory. */
const courses = Number(process.argv[2] ?? 2_072)
const CALLS = 4_000
/** Longer than an idle portal takes to return its memory. */
const IDLE_MS = 30_000

const { portal, importMs } = await openLargePortal(courses)
const name = `${courses.toLocaleString('en')} courses`
report({ what: `import of ${name}, the command's start included`, figure: importMs / 1000, unit: 's' })
const index = `${portal.url}/api/course?view=index`
const fresh = await rateOf(index, portal.pid, {}, CALLS)
const known = await rateOf(index, portal.pid, { 'If-None-Match': fresh.etag }, CALLS)
const size = Number((await fetch(index, { headers: { 'Accept-Encoding': 'br' } })).headers.get('content-length')) / 1000
report({ what: `index of ${name}, brotli`, figure: size, unit: 'KB', limit: { atMost: (45 * courses) / 1_000 } })
report({ what: `calls: index of ${name}`, figure: fresh.perSecond, unit: '/s per core' })
report({ what: `calls: index of ${name} known already (304)`, figure: known.perSecond, unit: '/s per core' })
await sleep(IDLE_MS)
report({
  what: `memory at rest with ${name}, database included`,
  figure: await proportionalMegabytesOf(portal.pid),
  unit: 'MB',
  limit: { atMost: courses > 1_000 ? 264 : 165 },
})
await portal.close()
