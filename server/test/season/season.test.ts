// @module-tag extended
import { afterAll, beforeAll, describe, expect as hardExpect, test } from 'vitest'
import { entriesOf } from '#contract/records.ts'
import { readFigures, wrongFigures } from '../figures.ts'
import { describeAutumn } from './autumn.ts'
import { describeDecember } from './december.ts'
import { LISTED } from './expected-money.ts'
import { bySubject, MAILS, MESSAGES, readLetters, SENTENCES } from './mails.ts'
import { describeNovember } from './november.ts'
import { describeDeletions, describeOffSeason } from './off-season.ts'
import { describeFirstBookings, describeOpening } from './opening.ts'
import { openSeason, type Season } from './season.ts'
import { openSeasonPortal, type SeasonPortal } from './season-portal.ts'
import { describeAutumnSettlement, describeSettledLedger, describeSpringSettlement } from './settlement.ts'
import { findFaketime } from './test-clock.ts'

const expect = hardExpect.soft
const library = await findFaketime()

/**
 * From 31 August 2026 to 19 April 2027: each test continues where the previous one ended. Expectations are soft: one failure does not
 * stop the simulation.
 */
describe.skipIf(!library)('a season in simulated time', { timeout: 120_000 }, () => {
  let portal: SeasonPortal | undefined
  let season: Season
  beforeAll(async () => {
    portal = await openSeasonPortal(library ?? '', '2026-08-31 09:00')
    season = await openSeason(portal)
  }, 120_000)
  afterAll(() => portal?.close())

  const compareFigures = (when: string) =>
    test(`each figure of the desk ${when} is the number of rows of its list`, async () => {
      const token = await season.tokenOf('desk')
      const figures = await readFigures((endpoint, request) => season.call(endpoint, { ...request, token }))
      expect(wrongFigures(figures)).toEqual([])
      expect(figures.some(({ figure, shown }) => figure.includes('booked') && shown > 0)).toBe(true)
    })

  describeOpening(() => season)
  describeFirstBookings(() => season)
  compareFigures('after the opening')
  describeAutumn(() => season)
  compareFigures('in autumn')
  describeNovember(() => season)
  describeDecember(() => season)
  compareFigures('before the settlement')
  describeAutumnSettlement(() => season)
  compareFigures('after the settlement')
  describeOffSeason(() => season)
  describeSpringSettlement(() => season)
  describeDeletions(() => season)
  compareFigures('after the deletions')
  describeSettledLedger(() => season)

  test('the amounts of the bookings list', async () => {
    const bills = (await season.list('bookings')).map(
      ({ courseNumber, email, amount }) => `${courseNumber} ${email?.split('@')[0] || 'deleted'} ${amount}`,
    )
    expect(bills.sort()).toEqual(LISTED)
  })

  test('every e-mail exactly once, in the right language', async () => {
    const letters = await readLetters(season.mails)
    expect(bySubject(letters)).toEqual(MAILS)
    for (const [name, begin, says, saysNot] of SENTENCES) {
      const { text } = letters.find(({ to, subject }) => to === name && subject.startsWith(begin)) ?? { text: '' }
      for (const words of says) expect(text, `${name}: ${begin}`).toContain(words)
      for (const words of saysNot) expect(text, `${name}: ${begin}`).not.toContain(words)
    }
  })

  test('messages in the portal, courses under *my courses*, and calendar feeds at the end', async () => {
    for (const [name, titles] of entriesOf(MESSAGES)) expect(await season.messages(name), name).toEqual(titles)
    expect(await season.booked('anna')).toEqual(['F-01', 'H-01', 'H-07', 'H-08', 'S-01'])
    expect(await season.booked('paul')).toEqual(['H-10'])
    expect(await season.booked('sven')).toEqual([])
    const feed = await season.feed('anna')
    expect(feed.filter(entry => entry.startsWith('Rückenfit')).length).toBe(10)
    expect(feed).toContain('Frühlingslauf 2027-03-28T08:00')
    expect((await season.feed('sven')).every(entry => entry.endsWith('CANCELLED'))).toBe(true)
  })

  test('the audit finds nothing, and the portal logged no error', async () => {
    expect(await season.command('audit')).not.toMatch(/error/i)
    expect(season.errors()).not.toMatch(/"level":(50|60)/)
  })
})
