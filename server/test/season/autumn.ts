import { expect as hardExpect, test } from 'vitest'
import { login } from '#contract/endpoints/session.ts'
import { simulateUntil } from './lessons.ts'
import { emailOf, PASSWORD } from './programme.ts'
import { type Season, shortTime } from './season.ts'

const expect = hardExpect.soft

/** Cancelled courses, lessons and bookings, bookings moved to another course, merged and locked accounts. */
export function describeAutumn(season: () => Season): void {
  test('September: a course and a first lesson are cancelled by the desk', async () => {
    await simulateUntil(season(), '2026-09-21 10:00')
    await season().perform({
      kind: 'cancel-course',
      courseId: season().courseId('H-09'),
      note: 'Zu wenige Anmeldungen.',
    })
    expect(await season().states('H-09', ['sven', 'anna'])).toEqual({
      sven: 'cancelled, 45 €, waivable',
      anna: 'cancelled, 45 €, waivable',
    })
    await simulateUntil(season(), '2026-09-25 10:00')
    await season().perform({ kind: 'cancel-lesson', courseDateId: await season().lesson('H-05', '2026-09-30') })
    // The first lesson is now on 7 October.
    expect(await season().states('H-05', ['mia'])).toEqual({
      mia: 'booked, 40 €, waivable, until 14.10. 23:59, 0/0 of 7 needs 5',
    })
    const course = await season().see('mia', 'H-05')
    expect([shortTime(course.start), shortTime(course.end)]).toEqual(['07.10. 00:00', '02.12. 00:00'])
  })

  test('6 October: the last day to cancel, to the minute', async () => {
    await simulateUntil(season(), '2026-10-02 10:00')
    const late = {
      kind: 'cancel-booking',
      courseId: season().courseId('H-02'),
      webUserId: season().idOf('karl'),
      charge: 'full',
    } as const
    expect((await season().act(late)).status).toBe('Reason')
    await simulateUntil(season(), '2026-10-06 23:59')
    expect(await season().states('H-04', ['karl', 'lena'])).toEqual({
      karl: 'booked, 50 €, until 06.10. 23:59, 2/3 of 8 needs 6',
      lena: 'booked, 50 €, until 06.10. 23:59, 1/3 of 8 needs 6',
    })
    expect(await season().cancel('karl', 'H-04')).toBe('Ok')
    await simulateUntil(season(), '2026-10-07 00:00')
    expect(await season().states('H-04', ['lena'])).toEqual({ lena: 'booked, 50 €, 1/3 of 8 needs 6' })
    expect(await season().cancel('lena', 'H-04')).toBe('Failed')
    // For people who book now, the first lesson is on 8 October.
    expect(await season().states('H-04', ['karl'])).toEqual({ karl: 'free place, 50 €, until 15.10. 23:59' })
  })

  test('20 October: moved to another course, at its price, with its own first lesson', async () => {
    await simulateUntil(season(), '2026-10-20 10:00')
    await season().perform({
      kind: 'move-booking',
      fromCourseId: season().courseId('H-02'),
      toCourseId: season().courseId('H-10'),
      webUserId: season().idOf('paul'),
    })
    expect(await season().states('H-02', ['paul'])).toEqual({ paul: 'free place, 80 €, until 03.11. 23:59' })
    expect(await season().states('H-10', ['paul'])).toEqual({
      paul: 'booked, 70 €, until 05.11. 23:59, 0/0 of 6 needs 4',
    })
  })

  test('25 October: summer time ends', async () => {
    await simulateUntil(season(), '2026-10-25 12:00')
    expect((await season().calendar('anna', 'H-08')).slice(0, 4)).toEqual([
      '2026-10-04T07:00',
      '2026-10-11T07:00',
      '2026-10-25T08:00',
      '2026-11-01T08:00',
    ])
    expect(await season().states('H-08', ['anna'])).toEqual({ anna: 'booked, 30 €, waivable, 3/3 of 8 needs 6' })
  })

  test('30 October: one person with two accounts, and one who leaves the company', async () => {
    await simulateUntil(season(), '2026-10-30 10:00')
    await season().perform({
      kind: 'merge-people',
      webUserId: season().idOf('tommy'),
      intoWebUserId: season().idOf('tom'),
    })
    expect(await season().states('H-04', ['tom'])).toEqual({ tom: 'booked, 50 €, 3/6 of 8 needs 6' })
    await simulateUntil(season(), '2026-11-05 18:40')
    await season().perform({ kind: 'lock-person', webUserId: season().idOf('uwe') })
    const credentials = { userName: emailOf('uwe'), password: PASSWORD, keepSession: false }
    expect((await season().call(login, { body: credentials })).status).toBe('NotActive')
  })
}
