import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PLACEHOLDERS, statementOfBookings } from '../../../server/test/booking-statement.ts'
import { processorOf } from '../processor.ts'
import { percentile } from '../programmes.ts'
import { report } from '../report.ts'
import { type BenchSetup, book, COURSES, hashOf } from './stage.ts'

const run = promisify(execFile)
const pgbench = ['/usr/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench'].find(existsSync)
const SECONDS = 3
const CLIENTS = 16
/** Number of bookings per round: about one second of the portal's work, while pgbench runs for three seconds. */
const PEOPLE = 10_000

/** Types of the parameters that pgbench needs quoted: they are neither numbers nor booleans. */
const ARRAY_ITEMS: Record<string, string> = { person: ':person', course: ':course', fee: "'fee'" }

/** @returns statements per second, with one prepared statement per connection; NaN without pgbench */
async function pace(
  { dataDir, host }: BenchSetup,
  script: string,
  variables: Record<string, string> = {},
): Promise<number> {
  if (!pgbench) return Number.NaN
  const file = join(dataDir, 'raw.sql')
  await writeFile(file, script)
  const given = Object.entries({ n: '0', ...variables }).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const args = ['-n', '-M', 'prepared', '-c', `${CLIENTS}`, '-j', '2', '-T', `${SECONDS}`, '-f', file, ...given]
  const { stdout } = await run(pgbench, [...args, '-h', host, '-U', 'portal', 'postgres'])
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}

/** Lower bound for a booking in PostgreSQL: increments a counter and inserts one row without any rule. */
const bareRate = (stage: BenchSetup): Promise<number> =>
  pace(
    stage,
    `\\set course random(1, ${COURSES})
\\set person random(1, ${PEOPLE})
with course as (update bare_courses set taken = taken + 1, seq = seq + 1 where id = :course returning id, seq)
insert into bare_bookings (course_id, web_user_id, seq) select id, :person, seq from course;
`,
  )

/**
 * Runs the portal's own booking statement once per booking, which writes the same rows as the portal.
 * @param mail mail of a booking, as JSON
 */
async function sameRate(stage: BenchSetup, name: string, mail: string): Promise<number> {
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const { people, courseIds } = await stage.prepare(name, crowd)
  const { text, values } = await statementOfBookings([PLACEHOLDERS], mail)
  const variables: Record<string, string> = {}
  const plain = text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')
  const script = plain.replace(/\$(\d+)/g, (_, number) => {
    const value = values[number - 1]
    if (typeof value === 'number') return `${value}`
    if (Array.isArray(value)) return `array[${value.map(item => ARRAY_ITEMS[item] ?? item).join()}]`
    variables[`v${number}`] = typeof value === 'string' ? value : JSON.stringify(value)
    return `:v${number}`
  })
  // Each connection uses its own people, who book one course after the other, so that no person books a course twice.
  const each = PEOPLE / CLIENTS
  const head = `\\set person ${Math.min(...people)} + :client_id * ${each} + mod(:n, ${each})
\\set course ${Math.min(...courseIds)} + mod(:n / ${each} + :client_id * 13, ${COURSES})
\\set n :n + 1
`
  return pace(stage, `${head}${script};\n`, variables)
}

const fixed = (number: number, digits = 3) => number.toFixed(digits)

/** Measures bookings per second of the portal, of PostgreSQL alone and of a minimal Node.js server, alternately. */
export async function measureRates(stage: BenchSetup, rounds: number, connections: number): Promise<void> {
  const { db, portal, url, bareUrl, named, listOf } = stage
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const made: { raw: number; same: number; bare: number; portal: number; node: number; postgres: number }[] = []
  /** Deletes queued e-mails, which would otherwise be sent during the next measurement. */
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
