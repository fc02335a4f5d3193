import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auditPortal } from '#server/audit/audit.ts'
import { sql } from '#server/db/client.ts'
import { openTestOffice } from '#server/test/desk.ts'
import { daysFromNow, insertBooking, insertTick, insertUserWithSession } from '#server/test/factories.ts'
import { insertPastCourse, insertProof } from '#server/test/money-scene.ts'

/** Seeds and size of the season: `SEASON_SEEDS=200 SEASON_PEOPLE=2000` for the long run. */
const SEEDS = Number(process.env.SEASON_SEEDS ?? 2)
const PEOPLE = Number(process.env.SEASON_PEOPLE ?? 60)

const { server, ...desk } = await openTestOffice(['billing', 'bookings', 'programme'])
const { db } = server

const LESSONS = 9
const MARKS = ['present', 'absent', 'untouched'] as const
type Plan = {
  status: number
  fee: number
  processing: number
  energy: number
  hasWaiver: boolean
  joinsAt: number
  marks: (typeof MARKS)[number][]
  late: number
  shiftLessons: number
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
})
const course = fc.record({
  cancelled: fc.uniqueArray(fc.integer({ min: 0, max: LESSONS - 1 }), { maxLength: 4 }),
  people: fc.array(person, { minLength: 1, maxLength: 8 }),
})

/**
 * What a person owes for one course, written from money.md sections 2.4 to 2.9 alone, without the code of the portal.
 * @param recorded lessons of which somebody's attendance was recorded
 */
function secondCalculation(plan: Plan, cancelled: readonly number[], recorded: ReadonlySet<number>): number {
  const ahead = Array.from({ length: LESSONS }, (_, lesson) => lesson).filter(lesson => lesson >= plan.joinsAt)
  const takenPlace = ahead.filter(lesson => !cancelled.includes(lesson))
  const counted = takenPlace.filter(lesson => recorded.has(lesson))
  const inShift = counted.filter(lesson => lesson < plan.shiftLessons).length
  const share = inShift * 2 > counted.length ? 1 : 2
  const present = counted.filter(lesson => plan.marks[lesson] === 'present').length
  const isRegular = counted.length > 0 && present * 3 >= counted.length * share
  const processing = plan.status === 2 ? plan.processing : 0
  const canEarn = plan.hasWaiver && (plan.status === 1 || plan.status === 4)
  if (canEarn && counted.length === 0 && plan.fee + processing > 0) return 0
  const missing = ahead.length - Math.min(ahead.length, takenPlace.length)
  const part = (cents: number) =>
    ahead.length === 0 ? 0 : Number((BigInt(cents) * BigInt(missing) + BigInt(ahead.length - 1)) / BigInt(ahead.length))
  const fee = plan.fee - part(plan.fee)
  const energy = plan.energy - part(plan.energy)
  return energy + (canEarn && isRegular ? 0 : fee + processing)
}

test('random seasons: the ledger equals a second calculation to the cent, and the audit finds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(course, { minLength: Math.ceil(PEOPLE / 8), maxLength: Math.ceil(PEOPLE / 4) }),
      async plans => {
        const expected = new Map<number, number>()
        const courseIds: number[] = []
        for (const { cancelled, people } of plans) {
          const made = await insertPastCourse(db, LESSONS)
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
            const user = await insertUserWithSession(db, { employeeStatus })
            // Between the lesson before and the first one of the person; the last lesson was yesterday.
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
            const owed = isEnded ? lateCents : secondCalculation(plan, cancelled, recorded)
            expected.set(user.id, owed)
          }
        }
        const settle = () => desk.act({ kind: 'settle-courses', courseIds, reason: 'Saisonende' })
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
        const findings = (await auditPortal(db)).findings.filter(line =>
          /^(?:ledger|booking \d|batch|invoice)/.test(line),
        )
        expect(findings).toEqual([])
      },
    ),
    { numRuns: SEEDS, endOnFailure: true },
  )
}, 3_600_000)
