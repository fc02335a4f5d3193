// @module-tag extended
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getBatchFile, listClosing, listInvoices } from '#contract/office/money.ts'
import { getToday } from '#contract/office/today.ts'
import { sql } from '#server/platform/db/client.ts'
import { buildCamt } from '../statements.ts'
import type { PersonName } from './programme.ts'
import { openSeason, type Season } from './season.ts'
import { openSeasonPortal, type SeasonPortal } from './season-portal.ts'
import { upload } from './settlement.ts'
import { findFaketime, wallClockOf } from './test-clock.ts'

const library = await findFaketime()

const BOOKED: Record<string, PersonName[]> = {
  'H-01': ['anna', 'bernd', 'cem', 'rosa'],
  'H-02': ['jan', 'karl', 'paul', 'uwe'],
  'H-03': ['dora', 'emil', 'frieda', 'gerd'],
  'H-04': ['lena', 'tommy', 'vera'],
  'H-05': ['mia'],
  'H-06': ['ida'],
  'H-08': ['anna', 'bernd'],
}
/** Lists of *Today* that are not tasks to be done: the lessons of two days, and openings to come. */
const NO_TASKS = ['lessons', 'openings']
const WEEK_MS = 7 * 86_400_000

/** Records every past lesson that is not recorded: of two people every second one is present, in turn. */
async function recordAttendance(season: Season): Promise<void> {
  const lessons = await season.db.query<{ number: string; day: string; email: string }>(sql`
    select c.number, d.held_at::date::text as day, i.email
    from course_dates d join courses c on c.id = d.course_id join course_instructors i on i.course_id = c.id
    where c.number = any(${Object.keys(BOOKED)}::text[]) and d.held_at < ${wallClockOf(season.clock.now())}::timestamp and not exists (
      select from attendances a where a.course_date_id = d.id) order by d.held_at`)
  for (const [index, { number, day, email }] of lessons.entries()) {
    const present = (BOOKED[number] ?? []).filter((_, place) => (index + place) % 3 > 0)
    await season.tick(email.split('@')[0] as PersonName, number, day, present)
  }
}

/**
 * A season in simulated time whose instructors record their lessons and never close a list. Acts of people after the
 * last lesson are counted in the audit log.
 */
describe.skipIf(!library)('a season that closes itself', { timeout: 600_000 }, () => {
  let portal: SeasonPortal | undefined
  let season: Season
  beforeAll(async () => {
    portal = await openSeasonPortal(library ?? '', '2026-09-14 07:30')
    season = await openSeason(portal)
  }, 120_000)
  afterAll(() => portal?.close())

  test('from the last lesson to an empty *Today* it takes at most six acts of people', async () => {
    await season.advanceTo('2026-09-14 08:00')
    for (const [number, names] of Object.entries(BOOKED))
      for (const name of names) expect(await season.book(name, number), `${name} ${number}`).toBe('booked')
    await season.perform({ kind: 'set-closing', isAutomatic: true })
    for (let sunday = Date.parse('2026-10-04'); sunday <= Date.parse('2026-12-13'); sunday += WEEK_MS) {
      await season.advanceTo(`${new Date(sunday).toISOString().slice(0, 10)} 21:00`)
      await recordAttendance(season)
    }
    await season.advanceTo('2026-12-14 19:05')
    await recordAttendance(season)
    const countActs = async () =>
      (
        await season.db.query<{ kind: string }>(sql`
          select kind from office_record where actor_id is not null and acted_at > '2026-12-14' order by number`)
      ).map(({ kind }) => kind)
    expect(await countActs()).toEqual([])

    await season.advanceTo('2026-12-18 10:00')
    const token = await season.tokenOf('desk')
    const closing = () => season.call(listClosing, { token, query: {} })
    const waiting = (await closing()).courses.map(({ number, next }) => `${number} ${next}`)
    expect(waiting.filter(line => !/handover$/.test(line))).toEqual([])

    const batches: number[] = []
    for (const batchKind of ['payroll', 'invoice'] as const) {
      const { result } = await season.perform({ kind: 'create-batch', batchKind })
      batches.push(Number(result.id))
      await season.perform({ kind: 'close-batch', batchId: Number(result.id) })
    }
    const [payroll = 0] = batches
    expect((await season.call(getBatchFile, { params: { id: payroll }, token })).length).toBeGreaterThan(0)
    await season.advanceTo('2027-01-05 10:00')
    await season.perform({ kind: 'answer-batch', batchId: payroll, all: true })
    const { items } = await season.call(listInvoices, { token: await season.tokenOf('desk'), query: {} })
    const credits = items.map(({ number, amount }) => ({
      cents: Math.round(amount * 100),
      text: `Sport ${number}`,
      day: '2027-01-04',
    }))
    expect(credits.length).toBeGreaterThan(2)
    await season.perform({ kind: 'mark-paid', fileId: await upload(season, 'january.xml', buildCamt(credits)) })
    await season.advanceTo('2027-01-05 12:00')

    expect((await closing()).courses.map(({ number, next }) => `${number} ${next}`)).toEqual([])
    expect((await closing()).finished).toBe(Object.keys(BOOKED).length)
    const { totals } = await season.call(getToday, { token: await season.tokenOf('desk'), query: {} })
    const tasks = Object.entries(totals).filter(([name, total]) => total > 0 && !NO_TASKS.includes(name))
    expect(tasks).toEqual([])
    const acts = await countActs()
    console.log(`acts of people: ${acts.join(', ')}`)
    expect(acts.length).toBeLessThanOrEqual(6)
  })
})
