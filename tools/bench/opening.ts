import { parseArgs } from 'node:util'
import { measureDesk } from './opening/desk.ts'
import { measureKills } from './opening/kills.ts'
import { measureRates } from './opening/rates.ts'
import { measureBurst } from './opening/rush.ts'
import { openBenchSetup } from './opening/stage.ts'

/**
 * node tools/bench/opening.ts [--rounds N] [--connections N] [--processes N] [--flush MS] [--rush] [--kills] [--desk]
 * Throughput when booking opens: successful bookings per second, with baselines on the same PostgreSQL in the same run:
 * pgbench with a prepared statement that only counts, and with the portal's booking statement; and Node's HTTP server
 * with the former and no rules (tools/bench/bare-server.ts). Compare the ratios. --flush: simulates a disk with this commit
 * latency. --rush: 10,000 people with a connection each. --kills: the same with two processes, one of which is killed
 * repeatedly. --desk: cost of the office triggers per booking.
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
const stage = await openBenchSetup(values.kills ? '2' : values.processes, Number(values.flush))
if (values.desk) await measureDesk(stage, rounds, connections)
else if (values.kills) await measureKills(stage)
else if (values.rush) await measureBurst(stage)
else await measureRates(stage, rounds, connections)
await stage.close()
process.exit()
