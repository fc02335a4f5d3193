import { expect as hardExpect, test } from 'vitest'
import { completeParticipation } from '#contract/endpoints/attendance.ts'
import { simulateUntil } from './lessons.ts'
import { type Season, shortTime } from './season.ts'

const expect = hardExpect.soft

/** Last lessons, the end of bookings, closed attendance. */
export function describeDecember(season: () => Season): void {
  test('December: the last lesson moves, and the course runs until then', async () => {
    await simulateUntil(season(), '2026-11-30 10:00')
    await season().perform({
      kind: 'change-lesson',
      courseDateId: await season().lesson('H-03', '2026-12-03'),
      date: '2026-12-10',
    })
    await season().perform({
      kind: 'add-lesson',
      courseId: season().courseId('H-10'),
      date: '2026-12-10',
      startTime: '18:00',
      endTime: '19:00',
    })
    await simulateUntil(season(), '2026-12-07 10:00')
    const { running, end, weekdays } = await season().see('gerd', 'H-03')
    expect([running, shortTime(end), weekdays]).toEqual([true, '10.12. 00:00', [4]])
    expect(await season().states('H-03', ['gerd'])).toEqual({ gerd: 'booked, 69.5 €, waivable, 5/7 of 8 needs 6' })
    const paul = await season().see('paul', 'H-10')
    expect(paul.attendance).toEqual({ held: 6, present: 5, excused: 0, unrecorded: 1, planned: 7, needed: 5 })
  })

  test('14 December: bookings end when the last lesson begins, and so does the waiting list', async () => {
    await simulateUntil(season(), '2026-12-14 17:59')
    expect(await season().states('H-01', ['nils', 'sven'])).toEqual({
      nils: 'waiting list, 60 €, waivable, until 14.12. 18:00',
      sven: 'waiting, #1, 60 €, waivable',
    })
    await simulateUntil(season(), '2026-12-14 18:01')
    expect(await season().states('H-01', ['nils', 'sven'])).toEqual({
      nils: 'over, 60 €, waivable',
      sven: 'over, 60 €, waivable',
    })
    expect(await season().book('nils', 'H-01')).toBe('Failed')
  })

  test('15 December: the lists are closed, and regular attendance has waived the fee', async () => {
    await simulateUntil(season(), '2026-12-15 09:00')
    for (const number of ['H-01', 'H-03', 'H-05'])
      await season().call(completeParticipation, {
        token: await season().tokenOf(number === 'H-05' ? 'theo' : 'tina'),
        body: { courseId: season().courseId(number), isCompleted: true },
      })
    expect(await season().states('H-01', ['anna', 'bernd', 'cem', 'olga'])).toEqual({
      anna: 'booked, 0 €, waived, 8/10 of 10 needs 7',
      bernd: 'booked, 60 €, waivable, 5/10 of 10 needs 7',
      cem: 'booked, 60 €, waivable, 4/10 of 10 needs 7',
      olga: 'booked, 0 €, waived, 4/5 of 5 needs 4',
    })
    expect(await season().states('H-03', ['dora', 'gerd'])).toEqual({
      dora: 'booked, 69.5 €, waivable, 4/8 of 8 needs 6',
      gerd: 'booked, 9.5 €, waived, 6/8 of 8 needs 6',
    })
    const printed = await season().printed('tina', 'H-03')
    for (const words of [
      'Muster, Dora Beschäftigt Personalnummer',
      'Muster, Gerd In Rente Rechnung',
      'Muster, Jan Extern Rechnung',
      '10.12.',
    ])
      expect(printed).toContain(words)
    const participants = (await season().list('participants')).filter(({ courseNumber }) => courseNumber === 'H-01')
    expect(participants.map(({ givenName }) => givenName)).toEqual(['Anna', 'Bernd', 'Cem', 'Olga'])
  })
}
