import { rateOf } from './calls.ts'
import { openLargePortal } from './programmes.ts'
import { report } from './report.ts'

/**
 * node tools/bench/tenfold.ts: shows whether ten times as many courses increase the CPU time of calls whose response does
 * not grow with them. Both portals are measured alternately.
 */
const ROUNDS = 3
const CALLS = 3_000

// The portals are opened sequentially, because the first one may have to build the app.
const both = [(await openLargePortal(1_000)).portal, (await openLargePortal(10_000)).portal]

/**
 * CPU time per call in ms, for each portal: the minimum of several rounds, which is least affected by other programs.
 */
async function costOf(path: string, isKnown: boolean): Promise<[number, number]> {
  const least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, { url, pid }] of both.entries()) {
      const { headers } = await fetch(url + path, { headers: { 'Accept-Encoding': 'br' } })
      const known: Record<string, string> = isKnown ? { 'If-None-Match': headers.get('etag') ?? '' } : {}
      const { perSecond } = await rateOf(url + path, pid, known, CALLS)
      least[index] = Math.min(least[index] ?? 0, 1_000 / perSecond)
    }
  return least
}

const rows: [string, string, boolean][] = [
  ['index known already (304)', '/api/course?view=index', true],
  ['page /courses', '/courses', false],
  ['page of a course', '/course-details/1', false],
]
for (const [what, path, isKnown] of rows) {
  const [ofSmall, ofLarge] = await costOf(path, isKnown)
  report({
    what: `ten times the courses, ${what}: processor`,
    figure: ofLarge,
    unit: 'ms a call',
    reference: { name: '1,000 courses', figure: ofSmall },
    limit: { atMost: 1.3 },
  })
}
await Promise.all(both.map(portal => portal.close()))
