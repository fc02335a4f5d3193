import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { daysFromNow, insertBooking, insertTick, insertUserWithSession } from '#server/test/factories.ts'
import { insertPastCourse, insertProof } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { type Mark, secondCalculation } from '#server/test/second-calculation.ts'

/** Seeds and size of the season: `SEASON_SEEDS=1 SEASON_PEOPLE=2000` for the long run, of 59 courses. */
const SEEDS = Number(process.env.SEASON_SEEDS ?? 2)
const PEOPLE = Number(process.env.SEASON_PEOPLE ?? 60)
const PER_COURSE = PEOPLE > 500 ? 34 : 6

const { server, ...office } = await openTestOffice(['billing', 'bookings', 'programme'])
const { db } = server

const LESSONS = 9
const MARKS: readonly Mark[] = ['present', 'absent', 'untouched']
type Plan = {
  status: number
  fee: number
  processing: number
  energy: number
  hasWaiver: boolean
  joinsAt: number
  marks: Mark[]
  late: number
  shiftLessons: number
  isInvoiced: boolean
}
const person: fc.Arbitrary<Plan> = fc.record({
  status: fc.constantFrom(1, 2, 4, 5, 6, 7),
  fee: fc.integer({ min: 0, max: 9_999 }),
  processing: fc.constantFrom(0, 1_500),
  energy: fc.constantFrom(0, 333, 500),
  hasWaiver: fc.boolean(),
  joinsAt: fc.integer({ min: 0, max: LESSONS }),
  marks: fc.array(fc.constantFrom(...MARKS), { minLength: LESSONS, maxLength: LESSONS }),
  late: fc.constantFrom(0, 0, 0, 100),
  shiftLessons: fc.integer({ min: 0, max: LESSONS }),
  isInvoiced: fc.boolean(),
})
const costOf = (plan: Plan, cancelled: readonly number[], recorded: ReadonlySet<number>): number =>
  secondCalculation(
    {
      ...plan,
      isExternal: plan.status === 2,
      canEarn: plan.status === 1 || plan.status === 4,
      processing: plan.status === 2 ? plan.processing : 0,
      shift: new Set(Array.from({ length: plan.shiftLessons }, (_, lesson) => lesson)),
      excused: new Set(),
      decision: null,
    },
    Array.from({ length: LESSONS }, (_, lesson) => (cancelled.includes(lesson) ? 'cancelled' : 'held')),
    recorded,
  )

const course = fc.record({
  cancelled: fc.uniqueArray(fc.integer({ min: 0, max: LESSONS - 1 }), { maxLength: 4 }),
  people: fc.array(person, { minLength: PER_COURSE, maxLength: PER_COURSE }),
})

test('random seasons: the ledger equals a second calculation to the cent, and the audit finds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(course, { minLength: Math.ceil(PEOPLE / PER_COURSE), maxLength: Math.ceil(PEOPLE / PER_COURSE) }),
      async plans => {
        const expected = new Map<number, number>()
        const courseIds: number[] = []
        for (const { cancelled, people } of plans) {
          const made = await insertPastCourse(db, LESSONS, { capacity: PER_COURSE })
          courseIds.push(made.id)
          for (const lesson of cancelled)
            await db.execute(sql`update course_dates set state = 'cancelled' where id = ${made.lessonIds[lesson] ?? 0}`)
          const recorded = new Set(
            made.lessonIds.flatMap((_, lesson) =>
              people.some(({ marks }) => marks[lesson] !== 'untouched') ? [lesson] : [],
            ),
          )
          for (const plan of people) {
            const employeeStatus = plan.status
            const isExternal = employeeStatus === 2
            const user = await insertUserWithSession(db, {
              employeeStatus,
              ...(plan.isInvoiced
                ? { billingType: 3, street: 'Weg 1', zip: '38440', city: 'Wolfsburg' }
                : { billingType: 1, personnelNumber: randomUUID(), knownAt: new Date() }),
            })
            // Between the previous lesson and the person's first one; the last lesson was yesterday.
            const since = Math.max(0.01, 7 * (LESSONS - 1 - plan.joinsAt) + 4.5)
            const processingCents = isExternal ? plan.processing : 0
            const isEnded = plan.late > 0
            const lateCents = Math.min(plan.late, plan.fee + processingCents + plan.energy)
            const { id: bookingId } = await insertBooking(db, made.id, user.id, {
              priceCents: plan.fee + processingCents,
              processingCents,
              energyCents: plan.energy,
              isWaiverOffered: plan.hasWaiver,
              promisedLessons: LESSONS - plan.joinsAt,
              bookedAt: daysFromNow(-since),
              ...(isEnded && {
                cancelledAt: daysFromNow(-3),
                charge: lateCents > 0 ? 'share' : 'none',
                chargeCents: lateCents,
              }),
            })
            if (isEnded) await db.execute(sql`update courses set taken = taken - 1 where id = ${made.id}`)
            expect(bookingId).toBeGreaterThan(0)
            for (const [lesson, mark] of plan.marks.entries())
              if (mark !== 'untouched')
                await insertTick(db, {
                  courseDateId: made.lessonIds[lesson] ?? 0,
                  webUserId: user.id,
                  isPresent: mark === 'present',
                  recordedBy: null,
                })
            if (plan.shiftLessons > 0) {
              const { to } = await db.one<{ to: string }>(sql`
              select held_at::date::text as to from course_dates where id = ${made.lessonIds[plan.shiftLessons - 1] ?? 0}`)
              await insertProof(db, user.id, {
                state: 'accepted',
                startsOn: '2020-01-01',
                endsOn: to,
                decidedAt: new Date(),
              })
            }
            const owed = isEnded ? lateCents : costOf(plan, cancelled, recorded)
            expected.set(user.id, owed)
          }
        }
        const settle = () => office.act({ kind: 'settle-courses', courseIds, reason: 'Saisonende' })
        expect((await settle()).status).toBe('Ok')
        const balances = async () =>
          new Map(
            (
              await db.query<{ id: number; cents: number }>(sql`
              select a.web_user_id as id, sum(e.cents)::int as cents from ledger_accounts a join ledger_entries e on e.account_id = a.id
              group by 1`)
            ).map(({ id, cents }) => [id, cents]),
          )
        const owed = (found: Map<number, number>) => [...expected.keys()].map(id => [id, found.get(id) ?? 0])
        expect(owed(await balances())).toEqual([...expected])
        const before = await db.one(sql`select count(*) as count, sum(cents) as sum from ledger_entries`)
        expect((await settle()).status).toBe('Ok')
        expect(await db.one(sql`select count(*) as count, sum(cents) as sum from ledger_entries`)).toEqual(before)
        for (const batchKind of ['payroll', 'invoice'] as const) {
          const { result } = await office.act({ kind: 'create-batch', batchKind })
          if (!result.count) continue
          expect(await office.act({ kind: 'close-batch', batchId: Number(result.id) })).toMatchObject({
            status: 'Ok',
            result,
          })
        }
        const sums = await db.one<{
          lines: number
          entries: number
          owed: number
          invoices: number
          invoiced: number
        }>(sql`
          select (select sum(cents)::int from batch_lines) as lines,
            (select sum(e.cents)::int from batch_entries b join ledger_entries e on e.id = b.entry_id) as entries,
            (select sum(cents)::int from ledger_entries) as owed, (select sum(cents)::int from invoices) as invoices,
            (select sum(l.cents)::int from batch_lines l join batches b on b.id = l.batch_id where b.kind = 'invoice') as invoiced`)
        expect([sums.lines, sums.entries, sums.invoices]).toEqual([sums.owed, sums.owed, sums.invoiced])
        const findings = (await auditPortal(db)).findings.filter(line =>
          /^(?:ledger|booking \d|batch|invoice)/.test(line),
        )
        expect(findings).toEqual([])
      },
    ),
    { numRuns: SEEDS, endOnFailure: true },
  )
}, 3_600_000)
