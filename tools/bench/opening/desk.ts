import { statementOfBookings } from '../../../server/test/booking-statement.ts'
import { processorOf } from '../processor.ts'
import { report } from '../report.ts'
import { type BenchSetup, book, COURSES } from './stage.ts'

const DESK_TRIGGERS = ['write_letter', 'note_new_bookings', 'note_changed_bookings']
/** In each turn. */
const PEOPLE = 2_000
/** Numbers of bookings that one statement inserts as a batch. */
const SIZES = [1, 32]
const STATEMENTS = 20

type Explained = { 'Execution Time': number; Triggers: { 'Trigger Name'?: string; Time: number }[] }

/**
 * Measures the booking statement and the office triggers within it in the same execution, so that machine load affects
 * both equally.
 */
async function measureStatement({ db, listOf, prepare }: BenchSetup): Promise<void> {
  const [mail = '{}'] = await listOf<string>("select payload::text from mails where kind = 'booking' limit 1")
  for (const size of SIZES) {
    const crowd = { people: size * STATEMENTS, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
    const { people, courseIds } = await prepare(`statement${size}`, crowd)
    const asked = people.map((webUserId, index) => ({ webUserId, courseId: courseIds[index % COURSES] ?? 0 }))
    const spent = { all: 0, triggers: 0 }
    for (let first = 0; first < asked.length; first += size) {
      const { text, values } = await statementOfBookings(asked.slice(first, first + size), mail)
      const { rows } = await db.query(`explain (analyze, format json) ${text}`, [...values])
      const [explained]: Explained[] = rows[0]['QUERY PLAN']
      // Warm-up: the first execution compiles the triggers.
      if (first === 0 || !explained) continue
      spent.all += explained['Execution Time']
      for (const { 'Trigger Name': name = '', Time } of explained.Triggers)
        if (DESK_TRIGGERS.includes(name)) spent.triggers += Time
    }
    report({
      what: `… the statement for ${size} of them`,
      figure: spent.all / (STATEMENTS - 1),
      unit: 'ms',
      reference: { name: 'without its triggers', figure: (spent.all - spent.triggers) / (STATEMENTS - 1) },
      limit: { atMost: 1.05 },
    })
  }
}

/**
 * Cost of the office triggers (letters, webhooks) per booking, measured alternately with and without them. The sum over
 * all rounds counts, because single rounds vary with machine load; CPU time is comparable even on a busy machine.
 */
export async function measureDesk(stage: BenchSetup, rounds: number, connections: number): Promise<void> {
  const { db, portal, url, named } = stage
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const spent = { enable: { seconds: 0, ms: 0, postgres: 0 }, disable: { seconds: 0, ms: 0, postgres: 0 } }
  // The first round is a warm-up and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const state of round % 2 === 0 ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const)) {
      await db.query(`
        delete from mails;
        alter table outbox ${state} trigger write_letter;
        alter table bookings ${state} trigger note_new_bookings, ${state} trigger note_changed_bookings`)
      const { tokens, courseIds } = await stage.prepare(`${state}${round}`, crowd)
      const before = await processorOf(portal.pid)
      const { seconds } = await book({ url, tokens, courseIds, connections })
      const after = await processorOf(portal.pid)
      if (round === 0) continue
      const postgres = after.postgres - before.postgres
      spent[state].seconds += seconds
      spent[state].postgres += postgres
      spent[state].ms += after.node - before.node + postgres
    }
  const count = PEOPLE * rounds
  const name = 'without them, in turns'
  report({
    what: `bookings with the desk's triggers, ${named}`,
    figure: count / spent.enable.seconds,
    unit: '/s',
    reference: { name, figure: count / spent.disable.seconds },
    limit: { atLeast: 0.95 },
  })
  for (const [what, key] of Object.entries({ 'portal and database': 'ms', 'the database alone': 'postgres' } as const))
    report({
      what: `… processor of one, ${what}`,
      figure: spent.enable[key] / count,
      unit: 'ms',
      reference: { name, figure: spent.disable[key] / count },
      limit: { atMost: 1.05 },
    })
  await db.query(`
    alter table mails enable trigger write_letter;
    alter table bookings enable trigger note_new_bookings, enable trigger note_changed_bookings`)
  await measureStatement(stage)
}
