import { afterAll, beforeAll, describe, expect as hardExpect, test } from 'vitest'
import { deleteAccount, register } from '#contract/accounts.ts'
import { completeParticipation } from '#contract/attendance.ts'
import { listInstructorCourses } from '#contract/courses.ts'
import { changeReminders, followThing } from '#contract/reminders.ts'
import { login } from '#contract/session.ts'
import { sql } from '#server/db/client.ts'
import { listOwed } from './bills.ts'
import { walkTo } from './lessons.ts'
import { bySubject, MAILS, readLetters, SENTENCES } from './mails.ts'
import { emailOf, PASSWORD, type PersonName } from './programme.ts'
import { openSeason, type Season, shortTime } from './season.ts'
import { findFaketime } from './test-clock.ts'

const library = await findFaketime()
/** One wrong answer ends no walk: what follows is judged, too. */
const expect = hardExpect.soft

/** Each test goes on where the one before it ended. */
describe.skipIf(!library)('a season in simulated time', () => {
  let season: Season
  const goTo = (moment: string) => walkTo(season, moment)
  beforeAll(async () => {
    season = await openSeason(library ?? '', '2026-08-31 09:00')
  })
  afterAll(() => season?.close())

  test('31 August: nothing can be seen before its day', async () => {
    expect(await season.listed()).toEqual([])
    await goTo('2026-09-01 00:00')
    expect(await season.listed()).toEqual([
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
    const body = {
      email: 'nobody@sport.example',
      password: PASSWORD,
      confirmPassword: PASSWORD,
      familyName: 'Niemand',
      givenName: 'N',
      formOfAddress: 'Divers',
      employeeStatus: 2,
      billingType: 3,
      street: 'Weg 1',
      zip: '1',
      city: 'Ort',
      yearOfBirth: 1990,
    } as const
    expect((await season.call(register, { body: body as never })).status).toBe('Ok')
  })

  test('14 September, until the opening: each person reads the own obstacle, price and last day to cancel', async () => {
    const wishes = {
      changes: { mail: true, push: false },
      lessonEve: { mail: true, push: false },
      opening: { mail: true, push: false },
      waiting: { mail: true, push: false },
    }
    for (const name of ['anna', 'jan'] as const)
      await season.call(changeReminders, { token: await season.tokenOf(name), body: wishes })
    await season.call(followThing, { token: await season.tokenOf('jan'), body: { kind: 'season', id: 1 } })
    await goTo('2026-09-14 07:30')
    await goTo('2026-09-14 07:59')
    expect(await season.states('H-01', ['anna', 'gerd', 'hanna', 'jan', 'karl', 'lena', 'mia'])).toEqual({
      anna: 'notOpen, 60 €, waivable, until 05.10. 23:59',
      gerd: 'notOpen, 60 €, waivable, until 05.10. 23:59',
      hanna: 'tooYoung, 60 €, until 05.10. 23:59',
      jan: 'notOpen, 75 €, until 05.10. 23:59',
      karl: 'notOpen, 60 €, until 05.10. 23:59',
      lena: 'notOpen, 60 €, until 05.10. 23:59',
      mia: 'onlineOnly, 60 €, waivable, until 05.10. 23:59',
    })
    expect(await season.book('anna', 'H-01')).toBe('Failed')
    await goTo('2026-09-14 08:00')
    expect(await season.states('H-06', ['hanna', 'ida', 'jan'])).toEqual({
      hanna: 'tooYoung, 90 €, until 07.10. 23:59',
      ida: 'free place, 90 €, until 07.10. 23:59',
      jan: 'free place, 120 €, until 07.10. 23:59',
    })
    expect(await season.states('H-07', ['anna', 'jan'])).toEqual({
      anna: 'free place, 0 €, until 09.10. 23:59',
      jan: 'free place, 0 €, until 09.10. 23:59',
    })
  })

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
      for (const name of names) expect(await season.book(name, number)).toBe(name === 'olga' ? 'waiting' : 'booked')
    expect(await season.book('hanna', 'H-06')).toBe('Failed')
    expect(await season.book('jan', 'H-01')).toBe('Failed')
    expect(await season.states('H-01', ['anna', 'olga', 'jan', 'sven'])).toEqual({
      anna: 'booked, 60 €, waivable, until 05.10. 23:59, 0/0 of 10 needs 7',
      olga: 'waiting, #1, 60 €, waivable',
      jan: 'fullForExternals, 75 €, until 05.10. 23:59',
      sven: 'waiting list, 60 €, waivable, until 05.10. 23:59',
    })
    expect(await season.states('H-03', ['dora', 'gerd', 'jan'])).toEqual({
      dora: 'booked, 69.5 €, waivable, until 08.10. 23:59, 0/0 of 8 needs 6',
      gerd: 'booked, 69.5 €, waivable, until 08.10. 23:59, 0/0 of 8 needs 6',
      jan: 'booked, 114.5 €, until 08.10. 23:59, 0/0 of 8 needs 6',
    })
    expect(await season.states('H-02', ['jan', 'karl', 'hanna'])).toEqual({
      jan: 'booked, 95 €, until 06.10. 23:59, 0/0 of 9 needs 6',
      karl: 'booked, 80 €, until 06.10. 23:59, 0/0 of 9 needs 6',
      hanna: 'tooYoung, 80 €, until 06.10. 23:59',
    })
  })

  test('15 September: a registration that nobody activated is gone after two weeks', async () => {
    const registered = async () =>
      (await season.db.query(sql`select from web_users where email = 'nobody@sport.example'`)).length
    await goTo('2026-09-14 23:00')
    expect(await registered()).toBe(1)
    await goTo('2026-09-15 01:00')
    expect(await registered()).toBe(0)
  })

  test('September: a course and a first lesson are cancelled by the desk', async () => {
    await goTo('2026-09-21 10:00')
    await season.perform({ kind: 'cancel-course', courseId: season.courseId('H-09'), note: 'Zu wenige Anmeldungen.' })
    expect(await season.states('H-09', ['sven', 'anna'])).toEqual({
      sven: 'cancelled, 45 €, waivable',
      anna: 'cancelled, 45 €, waivable',
    })
    await goTo('2026-09-25 10:00')
    await season.perform({ kind: 'cancel-lesson', courseDateId: await season.lesson('H-05', '2026-09-30') })
    // The first lesson is now that of 7 October.
    expect(await season.states('H-05', ['mia'])).toEqual({
      mia: 'booked, 40 €, waivable, until 14.10. 23:59, 0/0 of 7 needs 5',
    })
    const course = await season.see('mia', 'H-05')
    expect([shortTime(course.start), shortTime(course.end)]).toEqual(['07.10. 00:00', '02.12. 00:00'])
  })

  test('6 October: the last day to cancel, to the minute', async () => {
    await goTo('2026-10-02 10:00')
    const late = {
      kind: 'cancel-booking',
      courseId: season.courseId('H-02'),
      webUserId: season.idOf('karl'),
      charge: 'full',
    } as const
    expect((await season.act(late)).status).toBe('Reason')
    await goTo('2026-10-06 23:59')
    expect(await season.states('H-04', ['karl', 'lena'])).toEqual({
      karl: 'booked, 50 €, until 06.10. 23:59, 2/3 of 8 needs 6',
      lena: 'booked, 50 €, until 06.10. 23:59, 1/3 of 8 needs 6',
    })
    expect(await season.cancel('karl', 'H-04')).toBe('Ok')
    await goTo('2026-10-07 00:00')
    expect(await season.states('H-04', ['lena'])).toEqual({ lena: 'booked, 50 €, 1/3 of 8 needs 6' })
    expect(await season.cancel('lena', 'H-04')).toBe('Failed')
    // Who books now has the first lesson on 8 October.
    expect(await season.states('H-04', ['karl'])).toEqual({ karl: 'free place, 50 €, until 15.10. 23:59' })
  })

  test('20 October: moved to another course, at its price, with its own first lesson', async () => {
    await goTo('2026-10-20 10:00')
    await season.perform({
      kind: 'move-booking',
      fromCourseId: season.courseId('H-02'),
      toCourseId: season.courseId('H-10'),
      webUserId: season.idOf('paul'),
    })
    expect(await season.states('H-02', ['paul'])).toEqual({ paul: 'free place, 80 €, until 03.11. 23:59' })
    expect(await season.states('H-10', ['paul'])).toEqual({
      paul: 'booked, 70 €, until 05.11. 23:59, 0/0 of 6 needs 4',
    })
  })

  test('25 October: summer time ends', async () => {
    await goTo('2026-10-25 12:00')
    expect((await season.calendar('anna', 'H-08')).slice(0, 4)).toEqual([
      '2026-10-04T07:00',
      '2026-10-11T07:00',
      '2026-10-25T08:00',
      '2026-11-01T08:00',
    ])
    expect(await season.states('H-08', ['anna'])).toEqual({ anna: 'booked, 30 €, waivable, 3/3 of 8 needs 6' })
  })

  test('30 October: one person with two accounts, and one who leaves the company', async () => {
    await goTo('2026-10-30 10:00')
    await season.perform({ kind: 'merge-people', webUserId: season.idOf('tommy'), intoWebUserId: season.idOf('tom') })
    expect(await season.states('H-04', ['tom'])).toEqual({ tom: 'booked, 50 €, 3/6 of 8 needs 6' })
    await goTo('2026-11-05 18:40')
    await season.perform({ kind: 'lock-person', webUserId: season.idOf('uwe') })
    const credentials = { userName: emailOf('uwe'), password: PASSWORD, keepSession: false }
    expect((await season.call(login, { body: credentials })).status).toBe('NotActive')
  })

  test('9 November: a substitute takes the list; a lesson of tomorrow is cancelled', async () => {
    await goTo('2026-11-06 10:00')
    await season.perform({
      kind: 'change-lesson',
      courseDateId: await season.lesson('H-01', '2026-11-09'),
      instructorEmail: emailOf('sina'),
    })
    const taught = await season.call(listInstructorCourses, { token: await season.tokenOf('sina') })
    expect(taught.map(({ number }) => number)).toEqual(['H-01'])
    await goTo('2026-11-09 20:00')
    await season.perform({
      kind: 'cancel-lesson',
      courseDateId: await season.lesson('H-02', '2026-11-10'),
      note: 'Die Halle ist gesperrt.',
    })
    expect(await season.states('H-02', ['jan'])).toEqual({ jan: 'booked, 95 €, 4/4 of 8 needs 6' })
    expect((await season.calendar('jan', 'H-02'))[4]).toBe('2026-11-10T16:00 CANCELLED')
  })

  test('12 November: cancelled late, promoted, and joined late: each with an own first lesson', async () => {
    await goTo('2026-11-12 10:00')
    expect(await season.book('sven', 'H-01')).toBe('waiting')
    const late = {
      kind: 'cancel-booking',
      courseId: season.courseId('H-01'),
      webUserId: season.idOf('rosa'),
      charge: 'full',
    } as const
    expect((await season.act(late)).status).toBe('Reason')
    await season.perform({ ...late, reason: 'Die Frist ist vorbei.' })
    expect(await season.book('nils', 'H-05')).toBe('booked')
    expect(await season.states('H-01', ['olga', 'sven', 'rosa'])).toEqual({
      olga: 'booked, 60 €, waivable, until 23.11. 23:59, 0/0 of 5 needs 4',
      sven: 'waiting, #1, 60 €, waivable',
      rosa: 'waiting list, 60 €, waivable, until 23.11. 23:59',
    })
    expect(await season.states('H-05', ['nils', 'mia'])).toEqual({
      nils: 'booked, 40 €, waivable, until 25.11. 23:59, 0/0 of 3 needs 2',
      mia: 'booked, 40 €, waivable, 4/4 of 7 needs 5',
    })
  })

  test('20 November: a lesson is moved to another day, an account is deleted', async () => {
    await goTo('2026-11-20 10:00')
    await season.perform({
      kind: 'change-lesson',
      courseDateId: await season.lesson('H-06', '2026-11-25'),
      date: '2026-11-27',
    })
    const { changes, weekdays } = await season.see('ida', 'H-06')
    expect(weekdays).toEqual([3])
    expect(
      changes.map(
        ({ kind, at, from }) => `${kind} ${from && typeof from === 'object' ? shortTime(from) : from} ${shortTime(at)}`,
      ),
    ).toEqual(['moved 25.11. 17:00 27.11. 17:00'])
    const { status, kept } = await season.call(deleteAccount, {
      token: await season.tokenOf('vera'),
      body: { password: PASSWORD },
    })
    expect([status, kept.map(({ kind }) => kind)]).toEqual(['Ok', ['billing', 'participation', 'mail']])
  })

  test('December: the last lesson moves, and the course runs until then', async () => {
    await goTo('2026-11-30 10:00')
    await season.perform({
      kind: 'change-lesson',
      courseDateId: await season.lesson('H-03', '2026-12-03'),
      date: '2026-12-10',
    })
    await season.perform({
      kind: 'add-lesson',
      courseId: season.courseId('H-10'),
      date: '2026-12-10',
      startTime: '18:00',
      endTime: '19:00',
    })
    await goTo('2026-12-07 10:00')
    const { running, end, weekdays } = await season.see('gerd', 'H-03')
    expect([running, shortTime(end), weekdays]).toEqual([true, '10.12. 00:00', [4]])
    expect(await season.states('H-03', ['gerd'])).toEqual({ gerd: 'booked, 69.5 €, waivable, 5/7 of 8 needs 6' })
    const paul = await season.see('paul', 'H-10')
    expect(paul.attendance).toEqual({ held: 6, present: 5, excused: 0, unrecorded: 1, planned: 7, needed: 5 })
  })

  test('14 December: bookings end when the last lesson begins, and so does the waiting list', async () => {
    await goTo('2026-12-14 17:59')
    expect(await season.states('H-01', ['nils', 'sven'])).toEqual({
      nils: 'waiting list, 60 €, waivable, until 21.12. 23:59',
      sven: 'waiting, #1, 60 €, waivable',
    })
    await goTo('2026-12-14 18:01')
    expect(await season.states('H-01', ['nils', 'sven'])).toEqual({
      nils: 'over, 60 €, waivable',
      sven: 'over, 60 €, waivable',
    })
    expect(await season.book('nils', 'H-01')).toBe('Failed')
  })

  test('15 December: the lists are closed, and regular attendance has waived the fee', async () => {
    await goTo('2026-12-15 09:00')
    for (const number of ['H-01', 'H-03', 'H-05'])
      await season.call(completeParticipation, {
        token: await season.tokenOf(number === 'H-05' ? 'theo' : 'tina'),
        body: { courseId: season.courseId(number), isCompleted: true },
      })
    expect(await season.states('H-01', ['anna', 'bernd', 'cem', 'olga'])).toEqual({
      anna: 'booked, 0 €, waived, 8/10 of 10 needs 7',
      bernd: 'booked, 60 €, waivable, 5/10 of 10 needs 7',
      cem: 'booked, 60 €, waivable, 4/10 of 10 needs 7',
      olga: 'booked, 0 €, waived, 4/5 of 5 needs 4',
    })
    expect(await season.states('H-03', ['dora', 'gerd'])).toEqual({
      dora: 'booked, 69.5 €, waivable, 4/8 of 8 needs 6',
      gerd: 'booked, 9.5 €, waived, 6/8 of 8 needs 6',
    })
    const participants = (await season.list('participants')).filter(({ courseNumber }) => courseNumber === 'H-01')
    expect(participants.map(({ givenName }) => givenName)).toEqual(['Anna', 'Bernd', 'Cem', 'Olga'])
  })

  test('January to April: off-season, the next season, and the night in which summer time begins', async () => {
    await goTo('2027-01-11 07:59')
    expect(await season.book('anna', 'F-01')).toBe('Failed')
    await goTo('2027-01-11 08:00')
    for (const name of ['anna', 'gerd'] as const) expect(await season.book(name, 'F-01')).toBe('booked')
    expect(await season.states('F-01', ['anna'])).toEqual({
      anna: 'booked, 30 €, waivable, until 05.02. 23:59, 0/0 of 11 needs 8',
    })
    await goTo('2027-03-01 10:00')
    const extra = {
      kind: 'add-lesson',
      courseId: season.courseId('F-01'),
      date: '2027-03-28',
      startTime: '10:00',
      endTime: '11:00',
    } as const
    expect((await season.act(extra)).status).toBe('Reason')
    await season.perform({ ...extra, reason: 'Osterlauf' })
    expect((await season.calendar('anna', 'F-01')).slice(7, 10)).toEqual([
      '2027-03-21T09:00',
      '2027-03-28T08:00',
      '2027-04-04T08:00',
    ])
    await goTo('2027-04-05 10:00')
    const { stale } = await season.db.one<{ stale: number }>(
      sql`select count(*)::int as stale from mails where created_at < '2026-10-05'`,
    )
    expect(stale).toBe(0)
  })

  test('12 April: the next season opens, and the one before ends', async () => {
    await goTo('2027-04-12 07:59')
    expect(await season.book('anna', 'S-01')).toBe('Failed')
    await goTo('2027-04-12 08:00')
    expect(await season.book('anna', 'S-01')).toBe('booked')
    await goTo('2027-04-19 09:00')
    expect(await season.states('F-01', ['anna', 'gerd'])).toEqual({
      anna: 'booked, 0 €, waived, 12/12 of 12 needs 8',
      gerd: 'booked, 30 €, waivable, 3/12 of 12 needs 8',
    })
  })

  test('what everybody owes', async () => {
    const bills = (await season.list('bookings')).map(
      ({ courseNumber, email, amount }) => `${courseNumber} ${email?.split('@')[0] || 'deleted'} ${amount}`,
    )
    expect(bills.sort()).toEqual(listOwed())
  })

  test('every mail exactly once, in the right language', async () => {
    const letters = await readLetters(season.mails)
    expect(bySubject(letters)).toEqual(MAILS)
    for (const [name, begin, says, saysNot] of SENTENCES) {
      const { text } = letters.find(({ to, subject }) => to === name && subject.startsWith(begin)) ?? { text: '' }
      for (const words of says) expect(text, `${name}: ${begin}`).toContain(words)
      for (const words of saysNot) expect(text, `${name}: ${begin}`).not.toContain(words)
    }
  })

  test('the audit finds nothing, and the portal reported no fault', async () => {
    expect(await season.command('audit')).not.toMatch(/error/i)
    expect(season.errors()).not.toMatch(/"level":(50|60)/)
  })
})
