import type { Tab } from './driver.ts'
import { until } from './tab-steps.ts'

export async function openList(tab: Tab, url: string): Promise<void> {
  await tab.goto(url)
  await untilListed(tab)
}

export const untilListed = (tab: Tab): Promise<void> =>
  until(tab, 'the list', () => document.querySelector('main li button[aria-label$=": nicht erfasst"]') !== null)

/** Names of people without recorded attendance in this list. */
export const unrecorded = (tab: Tab): Promise<string[]> =>
  tab.evaluate(() =>
    [...document.querySelectorAll('main li button[aria-label$=": nicht erfasst"]')].map(button =>
      (button.getAttribute('aria-label') ?? '').replace(/: nicht erfasst$/, ''),
    ),
  )

/** Waits until each of these people is marked present, in this synchronization state. */
export const untilTicked = (tab: Tab, names: string[], state: string): Promise<void> =>
  until(
    tab,
    `${names.join()}: ${state}`,
    (wanted, text) => {
      const rows = [...document.querySelectorAll('main li')]
      return wanted.every(name =>
        rows.some(row => row.querySelector(`button[aria-label="${name}: da"]`) && row.textContent.includes(text)),
      )
    },
    names,
    state,
  )

/** Marks all of them in one task, and returns before anything can be written to disk. */
export const tickAtOnce = (tab: Tab, names: string[]): Promise<void> =>
  tab.evaluate(wanted => {
    for (const name of wanted)
      document.querySelector<HTMLElement>(`button[aria-label="${name}: nicht erfasst"]`)?.click()
  }, names)
