import { loadavg } from 'node:os'
import { processorOf } from '../processor.ts'
import { percentile } from '../programmes.ts'
import { report } from '../report.ts'
import { bareRate, PEOPLE, sameRate } from './floors.ts'
import { book, COURSES, hashOf, type Stage } from './stage.ts'

const fixed = (number: number, digits = 3) => number.toFixed(digits)

/** Bookings per second, compared alternately with PostgreSQL alone and a minimal Node.js server. */
export async function measureRates(stage: Stage, rounds: number, connections: number): Promise<void> {
  const { db, portal, url, bareUrl, named, listOf } = stage
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const made: { raw: number; same: number; bare: number; portal: number; node: number; postgres: number }[] = []
  /** Otherwise mails of the previous measurement would be sent meanwhile. */
  const forgetMails = () => db.query('delete from mails')
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const { tokens, courseIds } = await stage.prepare(`r${round}`, crowd)
    const bareIds = courseIds.map((_, index) => index + 1)
    const [mail = '{}'] = await listOf<string>('select payload::text from mails where payload is not null limit 1')
    await forgetMails()
    const raw = await bareRate(stage)
    const same = round > 0 ? await sameRate(stage, `s${round}`, mail) : Number.NaN
    await forgetMails()
    const bareRun = await book({ url: bareUrl, tokens: tokens.map(hashOf), courseIds: bareIds, connections })
    await stage.lookAtList()
    const before = await processorOf(portal.pid)
    const spread = await book({ url, tokens, courseIds, connections })
    const after = await processorOf(portal.pid)
    const hotIds = courseIds.slice(COURSES / 2, COURSES / 2 + 1)
    const hot = await book({ url, tokens: tokens.slice(0, PEOPLE / 4), courseIds: hotIds, connections })
    const node = (after.node - before.node) / PEOPLE
    const postgres = (after.postgres - before.postgres) / PEOPLE
    const rate = (perSecond: number) => `${fixed(perSecond, 0)}/s`
    console.log(
      `${round}: raw ${rate(raw)}, same statement ${rate(same)}, bare Node ${rate(bareRun.perSecond)}, portal ${rate(spread.perSecond)} (${fixed(spread.perSecond / raw)} of raw, ${fixed(spread.perSecond / same)} of the same statement, ${fixed(spread.perSecond / bareRun.perSecond)} of bare), one course ${rate(hot.perSecond)}, p99 ${fixed(percentile(spread.times, 0.99), 0)} ms, ${spread.answers.failed} failed; a booking takes Node ${fixed(node)}, PostgreSQL ${fixed(postgres)}, the people ${fixed(spread.clientMs)} ms; load ${fixed(loadavg()[0] ?? 0, 1)}`,
    )
    if (round > 0) made.push({ raw, same, bare: bareRun.perSecond, portal: spread.perSecond, node, postgres })
  }
  const middle = (of: (round: (typeof made)[number]) => number) => percentile(made.map(of), 0.5)
  console.log(`median of ${rounds}: ${fixed(middle(r => r.portal / r.bare))} of bare Node`)
  const limit = { atLeast: 0.2 }
  for (const [name, key] of Object.entries({
    'raw PostgreSQL (pgbench)': 'raw',
    'the same statement by pgbench': 'same',
  } as const)) {
    const inMiddle = made.toSorted((a, b) => a.portal / a[key] - b.portal / b[key])[Math.floor(rounds / 2)]
    if (!inMiddle) return
    report({
      what: key === 'raw' ? `bookings, ${named}` : '… beside the portal’s own statement, which writes the same rows',
      figure: inMiddle.portal,
      unit: '/s',
      reference: { name, figure: inMiddle[key] },
      limit,
    })
  }
  report({ what: '… processor of Node for one', figure: middle(r => r.node), unit: 'ms' })
  report({ what: '… processor of PostgreSQL for one', figure: middle(r => r.postgres), unit: 'ms' })
}
