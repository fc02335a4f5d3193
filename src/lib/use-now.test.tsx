import fc from 'fast-check'
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { render } from '#test/render.tsx'
import { addClockSample, serverNow } from './clock.ts'
import { formatRelativeDay, fromLocalTimeMs, localTimeMsAt, portalDateTimeAt, startOfDayAt } from './format.ts'
import { useLocalTimeMs, useThisYear, useToday } from './use-now.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC']
const DAY_MS = 86_400_000
const HOME_ZONE = process.env.TZ

afterEach(() => {
  if (HOME_ZONE === undefined) delete process.env.TZ
  else process.env.TZ = HOME_ZONE
})

/** Simulates a device in the given time zone, with a wrong clock, that has just received a server response. */
function takePhoneTo(zone: string, skewMs: number, instantMs: number): void {
  process.env.TZ = zone
  const device = instantMs + skewMs
  vi.spyOn(Date, 'now').mockImplementation(() => device)
  addClockSample(String(instantMs), device, device)
}

const lesson = { year: 2026, month: 11, day: 21, hour: 0, minute: 30, second: 0 }

test('the portal’s day, hour and texts are shown in any time zone and with any device clock', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: -800 * DAY_MS, max: 800 * DAY_MS }),
      fc.integer({ min: Date.UTC(2026, 0, 1) / 1000, max: Date.UTC(2027, 11, 31) / 1000 }),
      (zone, skewMs, seconds) => {
        const instantMs = seconds * 1000
        takePhoneTo(zone, skewMs, instantMs)
        const truth = new Intl.DateTimeFormat('de-DE', {
          timeZone: 'Europe/Berlin',
          dateStyle: 'short',
          timeStyle: 'medium',
        }).format(instantMs)
        const { year, month, day, hour, minute, second } = portalDateTimeAt(serverNow())
        const pad = (value: number) => String(value).padStart(2, '0')
        expect(`${pad(day)}.${pad(month)}.${pad(year % 100)}, ${pad(hour)}:${pad(minute)}:${pad(second)}`).toBe(truth)
        const today = startOfDayAt(serverNow())
        expect(formatRelativeDay(fromLocalTimeMs(localTimeMsAt(instantMs)), today, 'de')).toBe('heute')
        expect(formatRelativeDay(fromLocalTimeMs(localTimeMsAt(instantMs) + DAY_MS), today, 'de')).toBe('morgen')
        expect(formatRelativeDay(fromLocalTimeMs(localTimeMsAt(instantMs) - 5 * DAY_MS), today, 'de')).toBe(
          'vor 5 Tagen',
        )
      },
    ),
  )
})

test.each(ZONES.flatMap(zone => [-DAY_MS, 0, DAY_MS].map(skewMs => [zone, skewMs] as const)))(
  'a page in %s with a clock wrong by %i ms shows the lesson on the correct day',
  async (zone, skewMs) => {
    // A quarter past midnight in Berlin is still the evening before in London and New York.
    takePhoneTo(zone, skewMs, Date.parse('2026-11-20T23:15:00Z'))
    const Page = () => {
      const [today, wall, year] = [useToday(), useLocalTimeMs(), useThisYear()]
      return (
        <p>{`${formatRelativeDay(lesson, today, 'de')} ${fromLocalTimeMs(wall).hour}:${fromLocalTimeMs(wall).minute} ${year}`}</p>
      )
    }
    expect((await render(<Page />)).querySelector('p')?.textContent).toBe('heute 0:15 2026')
  },
)

test('a page rendered before the clock offset is known is corrected by the first response', async () => {
  takePhoneTo('Europe/Berlin', 0, Date.parse('2026-11-21T12:00:00Z'))
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-22T12:00:00Z'))
  const Page = () => <p>{formatRelativeDay(lesson, useToday(), 'de')}</p>
  const page = (await render(<Page />)).querySelector('p')
  expect(page?.textContent).toBe('gestern')
  await act(async () => takePhoneTo('Europe/Berlin', DAY_MS, Date.parse('2026-11-21T12:00:00Z')))
  expect(page?.textContent).toBe('heute')
})
