import { expect as hardExpect, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { listInstructorCourses } from '#contract/endpoints/courses.ts'
import { simulateUntil } from './lessons.ts'
import { emailOf, PASSWORD } from './programme.ts'
import { type Season, shortTime } from './season.ts'

const expect = hardExpect.soft

/** A substitute, cancelled and moved lessons, late cancellations and bookings, a deleted account. */
export function describeNovember(season: () => Season): void {
  test('9 November: a substitute takes the list; a lesson of tomorrow is cancelled', async () => {
    await simulateUntil(season(), '2026-11-06 10:00')
    await season().perform({
      kind: 'change-lesson',
      courseDateId: await season().lesson('H-01', '2026-11-09'),
      instructorEmail: emailOf('sina'),
    })
    const taught = await season().call(listInstructorCourses, { token: await season().tokenOf('sina') })
    expect(taught.map(({ number }) => number)).toEqual(['H-01'])
    await simulateUntil(season(), '2026-11-09 20:00')
    await season().perform({
      kind: 'cancel-lesson',
      courseDateId: await season().lesson('H-02', '2026-11-10'),
      note: 'Die Halle ist gesperrt.',
    })
    expect(await season().states('H-02', ['jan'])).toEqual({ jan: 'booked, 95 €, 4/4 of 8 needs 6' })
    expect((await season().calendar('jan', 'H-02'))[4]).toBe('2026-11-10T16:00 CANCELLED')
  })

  test('12 November: cancelled late, promoted, and joined late: each with an own first lesson', async () => {
    await simulateUntil(season(), '2026-11-12 10:00')
    expect(await season().book('sven', 'H-01')).toBe('waiting')
    const late = {
      kind: 'cancel-booking',
      courseId: season().courseId('H-01'),
      webUserId: season().idOf('rosa'),
      charge: 'full',
    } as const
    expect((await season().act(late)).status).toBe('Reason')
    await season().perform({ ...late, reason: 'Die Frist ist vorbei.' })
    expect(await season().book('nils', 'H-05')).toBe('booked')
    expect(await season().states('H-01', ['olga', 'sven', 'rosa'])).toEqual({
      olga: 'booked, 60 €, waivable, until 23.11. 23:59, 0/0 of 5 needs 4',
      sven: 'waiting, #1, 60 €, waivable',
      rosa: 'waiting list, 60 €, waivable, until 23.11. 23:59',
    })
    expect(await season().states('H-05', ['nils', 'mia'])).toEqual({
      nils: 'booked, 40 €, waivable, until 25.11. 23:59, 0/0 of 3 needs 2',
      mia: 'booked, 40 €, waivable, 4/4 of 7 needs 5',
    })
  })

  test('20 November: a lesson is moved to another day, an account is deleted', async () => {
    await simulateUntil(season(), '2026-11-20 10:00')
    await season().perform({
      kind: 'change-lesson',
      courseDateId: await season().lesson('H-06', '2026-11-25'),
      date: '2026-11-27',
    })
    const { changes, weekdays } = await season().see('ida', 'H-06')
    expect(weekdays).toEqual([3])
    expect(
      changes.map(
        ({ kind, at, from }) => `${kind} ${from && typeof from === 'object' ? shortTime(from) : from} ${shortTime(at)}`,
      ),
    ).toEqual(['moved 25.11. 17:00 27.11. 17:00'])
    const { status, kept } = await season().call(deleteAccount, {
      token: await season().tokenOf('vera'),
      body: { password: PASSWORD },
    })
    expect([status, kept.map(({ kind }) => kind)]).toEqual(['Ok', ['billing', 'participation', 'mail']])
  })
}
