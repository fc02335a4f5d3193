import { expect as hardExpect, test } from 'vitest'
import { deleteAccount } from '#contract/endpoints/accounts.ts'
import { getCourse } from '#contract/endpoints/courses.ts'
import { sql } from '#server/platform/db/client.ts'
import { simulateUntil } from './lessons.ts'
import { PASSWORD, personnelNumberOf } from './programme.ts'
import { describeCourse, type Season } from './season.ts'

const expect = hardExpect.soft

/** Off-season and the next two seasons. */
export function describeOffSeason(season: () => Season): void {
  test('January to April: off-season, the next season, and the night in which summer time begins', async () => {
    await simulateUntil(season(), '2027-01-11 07:59')
    expect(await season().book('anna', 'F-01')).toBe('Failed')
    await simulateUntil(season(), '2027-01-11 08:00')
    for (const name of ['anna', 'gerd', 'dora', 'emil', 'frieda'] as const)
      expect(await season().book(name, 'F-01')).toBe('booked')
    expect(await season().states('F-01', ['anna'])).toEqual({
      anna: 'booked, 30 €, waivable, until 05.02. 23:59, 0/0 of 11 needs 8',
    })
    await simulateUntil(season(), '2027-03-01 10:00')
    const extra = {
      kind: 'add-lesson',
      courseId: season().courseId('F-01'),
      date: '2027-03-28',
      startTime: '10:00',
      endTime: '11:00',
    } as const
    expect((await season().act(extra)).status).toBe('Reason')
    await season().perform({ ...extra, reason: 'Osterlauf' })
    expect((await season().calendar('anna', 'F-01')).slice(7, 10)).toEqual([
      '2027-03-21T09:00',
      '2027-03-28T08:00',
      '2027-04-04T08:00',
    ])
    await simulateUntil(season(), '2027-04-05 10:00')
    const { stale } = await season().db.one<{ stale: number }>(
      sql`select count(*)::int as stale from mails where created_at < '2026-10-05'`,
    )
    expect(stale).toBe(0)
  })

  test('12 April: the next season opens, and the one before ends', async () => {
    // From now on, the department has an HR list. People who claim a group but are not on the list accept the external
    // price.
    await simulateUntil(season(), '2027-04-10 10:00')
    const rows = [{ personnelNumber: personnelNumberOf('anna'), employeeStatus: 1 as const }]
    await season().perform({ kind: 'save-eligible', rows })
    const ute = await season().register({
      email: 'ute@sport.example',
      givenName: 'Ute',
      familyName: 'Muster',
      employeeStatus: 1,
      billingType: 1,
      personnelNumber: '2000',
      department: 'P-03',
      location: 'Tor 4',
      companyAddress: 'Werkstraße 12',
      yearOfBirth: 1985,
      divisionId: 1,
    })
    const unverified = await season().call(getCourse, { params: { id: season().courseId('S-01') }, token: await ute() })
    expect(describeCourse(unverified)).toBe('notOpen, 75 €, until 03.05. 23:59')
    expect(await season().states('S-01', ['anna', 'jan', 'ida'])).toEqual({
      anna: 'notOpen, 60 €, waivable, until 03.05. 23:59',
      jan: 'notOpen, 75 €, until 03.05. 23:59',
      ida: 'notOpen, 60 €, until 03.05. 23:59',
    })
    await simulateUntil(season(), '2027-04-12 07:59')
    expect(await season().book('anna', 'S-01')).toBe('Failed')
    await simulateUntil(season(), '2027-04-12 08:00')
    expect(await season().book('anna', 'S-01')).toBe('booked')
    await simulateUntil(season(), '2027-04-19 09:00')
    expect(await season().states('F-01', ['anna', 'gerd'])).toEqual({
      anna: 'booked, 0 €, waived, 12/12 of 12 needs 8',
      gerd: 'booked, 30 €, waivable, 3/12 of 12 needs 8',
    })
  })
}

/** Accounts that are deleted after the settlement. */
export function describeDeletions(season: () => Season): void {
  test('19 April: who deletes the account leaves what accounting needs, and no name on the list of an old course', async () => {
    await simulateUntil(season(), '2027-04-19 10:00')
    for (const name of ['rosa', 'olga'] as const) {
      const { status } = await season().call(deleteAccount, {
        token: await season().tokenOf(name),
        body: { password: PASSWORD },
      })
      expect(status).toBe('Ok')
    }
    const records = await season().db.query(sql`
      select name, course_number as course, amount_cents as cents from billing_records order by name`)
    expect(records).toEqual([
      { name: 'Rosa Muster', course: 'H-01', cents: 6000 },
      { name: 'Vera Muster', course: 'H-04', cents: 5000 },
    ])
    // More than eight weeks after the last lesson.
    expect(await season().printed('tina', 'H-03')).not.toContain('Muster')
  })
}
