import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeAutumn } from './autumn.ts'
import { listOwed } from './bills.ts'
import { bySubject, MAILS, readLetters, SENTENCES } from './mails.ts'
import { describeOffSeason } from './off-season.ts'
import { describeOpening } from './opening.ts'
import { openSeason, type Season } from './season.ts'
import { findFaketime } from './test-clock.ts'

const library = await findFaketime()

/**
 * From 31 August 2026 to 19 April 2027: each test continues where the one before it ended. Expectations are soft, so that one wrong
 * answer does not end the walk.
 */
describe.skipIf(!library)('a season in simulated time', () => {
  let season: Season
  beforeAll(async () => {
    season = await openSeason(library ?? '', '2026-08-31 09:00')
  })
  afterAll(() => season?.close())

  describeOpening(() => season)
  describeAutumn(() => season)
  describeOffSeason(() => season)

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

  test('messages', async () => {
    for (const name of [
      'anna',
      'sven',
      'olga',
      'rosa',
      'jan',
      'karl',
      'paul',
      'tom',
      'tina',
      'sina',
      'mia',
      'nils',
    ] as const)
      console.log(name, await season.messages(name), await season.booked(name))
    console.log(await season.printed('tina', 'H-03'))
    console.log(await season.feed('anna'), await season.feed('sven'))
  })

  test('the audit finds nothing, and the portal reported no fault', async () => {
    expect(await season.command('audit')).not.toMatch(/error/i)
    expect(season.errors()).not.toMatch(/"level":(50|60)/)
  })
})
