import { parseArgs } from 'node:util'
import { measureDesk } from './opening/desk.ts'
import { measureKills } from './opening/kills.ts'
import { measureRates } from './opening/rates.ts'
import { measureRush } from './opening/rush.ts'
import { openStage } from './opening/stage.ts'

/**
 * node bench/opening.ts [--rounds N] [--connections N] [--processes N] [--flush MS] [--rush] [--kills] [--desk]
 *
 * The opening second: bookings that succeed, beside floors of the same run on the same PostgreSQL: pgbench with one prepared
 * statement that only counts and with the statement that the portal sends, and Node's own server with the former and no rule
 * (bench/bare-server.ts). Read the ratios. --flush: on a disk that takes so long for a commit. --rush: instead of it, 10,000 people
 * with a connection each. --kills: the same with two processes, of which one is killed again and again. --desk: what the desk's
 * triggers cost a booking.
 */
const { values } = parseArgs({
  options: {
    rush: { type: 'boolean', default: false },
    kills: { type: 'boolean', default: false },
    desk: { type: 'boolean', default: false },
    processes: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '256' },
    flush: { type: 'string', default: '0' },
  },
})
const [rounds, connections] = [Number(values.rounds), Number(values.connections)]
const stage = await openStage(values.kills ? '2' : values.processes, Number(values.flush))
if (values.desk) await measureDesk(stage, rounds, connections)
else if (values.kills) await measureKills(stage)
else if (values.rush) await measureRush(stage)
else await measureRates(stage, rounds, connections)
await stage.close()
process.exit()
