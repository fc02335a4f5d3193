import { processorOf } from '../processor.ts'
import { report } from '../report.ts'
import { PEOPLE } from './floors.ts'
import { book, COURSES, type Stage } from './stage.ts'

/**
 * What the desk's triggers (letters, webhooks) cost a booking, with and without in turns. All turns count together: a single one
 * says more of the machine than of the triggers. The processor's time holds on a busy machine, too.
 */
export async function measureDesk(stage: Stage, rounds: number, connections: number): Promise<void> {
  const { db, portal, url, named } = stage
  const crowd = { people: PEOPLE, courses: COURSES, capacity: PEOPLE, employeeStatus: 1 }
  const spent = { enable: { seconds: 0, ms: 0, postgres: 0 }, disable: { seconds: 0, ms: 0, postgres: 0 } }
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const state of round % 2 === 0 ? (['enable', 'disable'] as const) : (['disable', 'enable'] as const)) {
      await db.query(`
        delete from mails;
        alter table mails ${state} trigger write_letter;
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
}
