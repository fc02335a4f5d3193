import { setTimeout as sleep } from 'node:timers/promises'
import { listWorkers } from '../../../server/test/portal.ts'
import { report } from '../report.ts'
import type { BenchSetup } from './stage.ts'

const CONNECTIONS = 64
const KILL_EVERY_MS = 6_000
/** Minimum number of responses between two kills: with fewer, a busy machine would never recover in between. */
const TOLD_BETWEEN_KILLS = 50
/** Time in ms after which a response counts as lost: longer than the portal's longest timeout. */
const LOST_AFTER_MS = 30_000
const FIRST_KILL_MS = 300
const INSIST_MS = 200
const MOST_ASKS = 300

type Told = { bookingStatus: number; waitingListPosition: number; status: string }

/**
 * Sends one request over a connection of its own.
 * @returns null if the response was lost
 */
async function ask(url: string, token: string, id: number): Promise<Told | null> {
  const headers = { SessionToken: token, 'Content-Type': 'application/json', Connection: 'close' }
  const init = { method: 'PUT', headers, body: JSON.stringify({ id }), signal: AbortSignal.timeout(LOST_AFTER_MS) }
  const response = await fetch(`${url}/api/course/coursebooking`, init).catch(() => null)
  if (response === null) return null
  if (response.status !== 200) throw new Error(`answered by ${response.status}`)
  return response.json().catch(() => null)
}

/** Asks until told. */
async function insist(url: string, token: string, id: number): Promise<Told> {
  for (let asked = 1; ; asked += 1) {
    const told = await ask(url, token, id)
    if (told !== null && (asked > 1 || Math.random() > 1 / 20)) return told
    if (asked === MOST_ASKS) throw new Error('nobody answers')
    await sleep(INSIST_MS)
  }
}

/**
 * Compares acknowledged responses with the stored rows.
 * @returns one line per difference
 */
async function compare({ db }: BenchSetup, told: Map<string, Told>): Promise<string[]> {
  const { rows } = await db.query(`
    select 'token-' || b.web_user_id as token, b.state as "bookingStatus", case b.state when 2 then (
      select count(*)::int from bookings w where w.course_id = b.course_id and w.state = 2 and w.seq <= b.seq) else 0 end as position
    from bookings b where cancelled_at is null`)
  const kept = new Map(rows.map(row => [row.token, row]))
  return [...told].flatMap(([token, { bookingStatus, waitingListPosition }]) => {
    const row = kept.get(token)
    const isKept = row?.bookingStatus === bookingStatus && row.position === waitingListPosition
    return isKept ? [] : [`${token} was told ${bookingStatus}, ${waitingListPosition} and has ${JSON.stringify(row)}`]
  })
}

/**
 * Books while one of two processes is killed repeatedly: every tenth person sends the request twice, and one response
 * in twenty is discarded.
 */
export async function measureKills(stage: BenchSetup): Promise<void> {
  const { portal, url, db, listOf } = stage
  const crowd = { people: 2_000, courses: 20, capacity: 20, employeeStatus: 1 }
  const { tokens, courseIds } = await stage.prepare('kills', crowd)
  const courseOf = (index: number) => courseIds[index % crowd.courses] ?? 0
  let isOver = false
  let kills = 0
  let toldBefore = -TOLD_BETWEEN_KILLS
  const told = new Map<string, Told>()
  const killing = (async () => {
    for (let pause = FIRST_KILL_MS; !isOver; pause = KILL_EVERY_MS) {
      await sleep(pause)
      if (told.size - toldBefore < TOLD_BETWEEN_KILLS) continue
      toldBefore = told.size
      const [pid] = await listWorkers(portal)
      if (!pid || isOver) continue
      try {
        process.kill(pid, 'SIGKILL')
        kills += 1
      } catch {
        // Ignored: the process has ended already.
      }
    }
  })()
  const faults: string[] = []
  const work = tokens.entries()
  const lane = async () => {
    for (const [index, token] of work) {
      const asks =
        index % 10 === 0
          ? [insist(url, token, courseOf(index)), insist(url, token, courseOf(index))]
          : [insist(url, token, courseOf(index))]
      const [first, second = first] = await Promise.all(asks)
      if (first?.status === 'Ok') told.set(token, first)
      else faults.push(`${token} was told ${JSON.stringify(first)}`)
      if (first?.bookingStatus !== second?.bookingStatus || first?.waitingListPosition !== second?.waitingListPosition)
        faults.push(`${token} was told two things`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  isOver = true
  await killing
  faults.push(...(await compare(stage, told)))
  const [over] = await listOf<number>(
    'select count(*)::int from (select from bookings where state = 1 group by course_id having count(*) > $1::int) x',
    [crowd.capacity],
  )
  for (const fault of faults.slice(0, 10)) console.log(fault)
  report({ what: 'rush with kills: processes killed', figure: kills, unit: 'of two in turns', limit: { atLeast: 1 } })
  report({
    what: '… acknowledged and lost, or told otherwise',
    figure: faults.length,
    unit: `of ${told.size}`,
    limit: { atMost: 0 },
  })
  report({ what: '… courses with too many places', figure: over ?? 0, unit: '', limit: { atMost: 0 } })
  await db.query('delete from bookings where id = (select max(id) from bookings)')
  const seen = (await compare(stage, told)).length
  report({
    what: '… negative control: one row taken away is seen',
    figure: seen,
    unit: 'differences',
    limit: { atLeast: 1 },
  })
}
