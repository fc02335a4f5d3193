import { expect as hardExpect, test } from 'vitest'
import { changeReminders, followThing } from '#contract/endpoints/reminders.ts'
import { sql } from '#server/platform/db/client.ts'
import { simulateUntil } from './lessons.ts'
import type { PersonName } from './programme.ts'
import type { Season } from './season.ts'

const expect = hardExpect.soft

/** Visibility, and what each person sees until the opening. */
export function describeOpening(season: () => Season): void {
  test('31 August: nothing can be seen before its day', async () => {
    expect(await season().listed()).toEqual([])
    await simulateUntil(season(), '2026-09-01 00:00')
    expect(await season().listed()).toEqual([
      'H-01',
      'H-02',
      'H-03',
      'H-04',
      'H-05',
      'H-06',
      'H-07',
      'H-08',
      'H-09',
      'H-10',
    ])
    // Nobody opens the mailed link.
    await season().register({
      email: 'nobody@sport.example',
      givenName: 'N',
      familyName: 'Niemand',
      employeeStatus: 2,
      billingType: 3,
      street: 'Weg 1',
      zip: '00210',
      city: 'Salzstadt',
      yearOfBirth: 1990,
    })
  })

  test('14 September, until the opening: each person reads the own obstacle, price and last day to cancel', async () => {
    const wishes = {
      changes: { mail: true, push: false },
      lessonEve: { mail: true, push: false },
      opening: { mail: true, push: false },
      waiting: { mail: true, push: false },
    }
    for (const name of ['anna', 'jan'] as const)
      await season().call(changeReminders, { token: await season().tokenOf(name), body: wishes })
    await season().call(followThing, { token: await season().tokenOf('jan'), body: { kind: 'season', id: 1 } })
    await simulateUntil(season(), '2026-09-14 07:30')
    await simulateUntil(season(), '2026-09-14 07:59')
    expect(await season().states('H-01', ['anna', 'gerd', 'hanna', 'jan', 'karl', 'lena', 'mia'])).toEqual({
      anna: 'notOpen, 60 €, waivable, until 05.10. 23:59',
      gerd: 'notOpen, 60 €, waivable, until 05.10. 23:59',
      hanna: 'tooYoung, 60 €, until 05.10. 23:59',
      jan: 'notOpen, 75 €, until 05.10. 23:59',
      karl: 'notOpen, 60 €, until 05.10. 23:59',
      lena: 'notOpen, 60 €, until 05.10. 23:59',
      mia: 'onlineOnly, 60 €, waivable, until 05.10. 23:59',
    })
    expect(await season().book('anna', 'H-01')).toBe('Failed')
    await simulateUntil(season(), '2026-09-14 08:00')
    expect(await season().states('H-06', ['hanna', 'ida', 'jan'])).toEqual({
      hanna: 'tooYoung, 90 €, until 07.10. 23:59',
      ida: 'free place, 90 €, until 07.10. 23:59',
      jan: 'free place, 120 €, until 07.10. 23:59',
    })
    expect(await season().states('H-07', ['anna', 'jan'])).toEqual({
      anna: 'free place, 0 €, until 09.10. 23:59',
      jan: 'free place, 0 €, until 09.10. 23:59',
    })
  })
}

/** First bookings, and the end of an unconfirmed registration. */
export function describeFirstBookings(season: () => Season): void {
  test('14 September, 08:00: places in the order of the bookings, then the waiting list, without externals', async () => {
    const bookings: Record<string, PersonName[]> = {
      'H-01': ['anna', 'bernd', 'cem', 'rosa', 'olga'],
      'H-02': ['jan', 'karl', 'paul', 'uwe'],
      'H-03': ['dora', 'emil', 'frieda', 'gerd', 'jan'],
      'H-04': ['lena', 'karl', 'tommy', 'vera'],
      'H-05': ['mia'],
      'H-06': ['ida'],
      'H-07': ['anna', 'jan'],
      'H-08': ['anna', 'bernd'],
      'H-09': ['sven'],
    }
    for (const [number, names] of Object.entries(bookings))
      for (const name of names) expect(await season().book(name, number)).toBe(name === 'olga' ? 'waiting' : 'booked')
    expect(await season().book('hanna', 'H-06')).toBe('Failed')
    expect(await season().book('jan', 'H-01')).toBe('Failed')
    expect(await season().states('H-01', ['anna', 'olga', 'jan', 'sven'])).toEqual({
      anna: 'booked, 60 €, waivable, until 05.10. 23:59, 0/0 of 10 needs 7',
      olga: 'waiting, #1, 60 €, waivable',
      jan: 'fullForExternals, 75 €, until 05.10. 23:59',
      sven: 'waiting list, 60 €, waivable, until 05.10. 23:59',
    })
    expect(await season().states('H-03', ['dora', 'gerd', 'jan'])).toEqual({
      dora: 'booked, 69.5 €, waivable, until 08.10. 23:59, 0/0 of 8 needs 6',
      gerd: 'booked, 69.5 €, waivable, until 08.10. 23:59, 0/0 of 8 needs 6',
      jan: 'booked, 114.5 €, until 08.10. 23:59, 0/0 of 8 needs 6',
    })
    expect(await season().states('H-02', ['jan', 'karl', 'hanna'])).toEqual({
      jan: 'booked, 95 €, until 06.10. 23:59, 0/0 of 9 needs 6',
      karl: 'booked, 80 €, until 06.10. 23:59, 0/0 of 9 needs 6',
      hanna: 'tooYoung, 80 €, until 06.10. 23:59',
    })
  })

  test('15 September: a registration that nobody activated is gone after two weeks', async () => {
    const registered = async () =>
      (await season().db.query(sql`select from web_users where email = 'nobody@sport.example'`)).length
    await simulateUntil(season(), '2026-09-14 23:00')
    expect(await registered()).toBe(1)
    await simulateUntil(season(), '2026-09-15 01:00')
    expect(await registered()).toBe(0)
  })
}
