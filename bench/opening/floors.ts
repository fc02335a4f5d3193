import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PLACEHOLDERS, statementOfBookings } from '../../server/test/booking-statement.ts'
import { COURSES, type Stage } from './stage.ts'

const run = promisify(execFile)
const pgbench = ['/usr/bin/pgbench', '/usr/lib/postgresql/15/bin/pgbench'].find(existsSync)
const SECONDS = 3
const CLIENTS = 16
/** Enough bookings for about a second of the portal's work; pgbench runs for three seconds. */
export const PEOPLE = 10_000

/** Quoted for pgbench: parameters that are neither numbers nor booleans. */
const ARRAY_ITEMS: Record<string, string> = { person: ':person', course: ':course', fee: "'fee'" }

/** @returns statements per second, prepared once per connection; NaN without pgbench */
async function pace({ dataDir, host }: Stage, script: string, variables: Record<string, string> = {}): Promise<number> {
  if (!pgbench) return Number.NaN
  const file = join(dataDir, 'raw.sql')
  await writeFile(file, script)
  const given = Object.entries({ n: '0', ...variables }).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const args = ['-n', '-M', 'prepared', '-c', `${CLIENTS}`, '-j', '2', '-T', `${SECONDS}`, '-f', file, ...given]
  const { stdout } = await run(pgbench, [...args, '-h', host, '-U', 'portal', 'postgres'])
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
}

/** Lower bound for a booking in PostgreSQL: increments a counter and inserts one row without any rule. */
export const bareRate = (stage: Stage): Promise<number> =>
  pace(
    stage,
    `\\set course random(1, ${COURSES})
\\set person random(1, ${PEOPLE})
with course as (update bare_courses set taken = taken + 1, seq = seq + 1 where id = :course returning id, seq)
insert into bare_bookings (course_id, web_user_id, seq) select id, :person, seq from course;
`,
  )

/**
 * The portal's own statement, sent individually per booking, which writes the same rows.
 * @param mail of a booking, as JSON
 */
export async function sameRate(stage: Stage, name: string, mail: string): Promise<number> {
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
  // Each connection uses its own people, who book one course after the other, so that nobody books twice.
  const each = PEOPLE / CLIENTS
  const head = `\\set person ${Math.min(...people)} + :client_id * ${each} + mod(:n, ${each})
\\set course ${Math.min(...courseIds)} + mod(:n / ${each} + :client_id * 13, ${COURSES})
\\set n :n + 1
`
  return pace(stage, `${head}${script};\n`, variables)
}
