import { setTimeout as sleep } from 'node:timers/promises'
import { patience } from '../patience.ts'
import type { PageScript, Tab } from './driver.ts'

const PATIENCE_MS = patience * 20_000

/**
 * Polls until there is a result.
 * @throws Error with what was expected and what the page shows instead
 */
async function ask<A extends unknown[], T>(
  tab: Tab,
  what: string,
  script: PageScript<A, T | null | false>,
  ...args: A
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    // A page that is navigating responds with an error.
    const answer = await tab.evaluate(script, ...args).catch(() => null)
    if (answer !== null && answer !== false) return answer
    if (Date.now() > deadline) {
      const shown = await tab.evaluate(() => `${location.pathname}\n${document.body.innerText}`).catch(String)
      throw new Error(`${what} did not come; the page shows:\n${shown}`)
    }
    await sleep(100)
  }
}

/** Waits until a condition holds in the page. */
export async function until<A extends unknown[]>(tab: Tab, what: string, script: PageScript<A, boolean>, ...args: A) {
  await ask(tab, what, script, ...args)
}

/** Waits until the main part of the page shows a text. */
export const see = (tab: Tab, pattern: RegExp): Promise<void> =>
  until(
    tab,
    String(pattern),
    source => new RegExp(source).test(document.querySelector('main')?.innerText ?? ''),
    pattern.source,
  )

/** Presses the element with this name once it exists and is not covered. */
export async function press(tab: Tab, selector: string, name: RegExp): Promise<void> {
  const find = (wanted: string, source: string) => {
    const nameOf = (element: HTMLElement) => (element.getAttribute('aria-label') ?? element.innerText).trim()
    const elements = [...document.querySelectorAll<HTMLElement>(wanted)]
    const target = elements.find(element => new RegExp(source).test(nameOf(element)) && element.checkVisibility())
    if (!target || target.matches(':disabled')) return null
    target.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, top, width, height } = target.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    return target.contains(document.elementFromPoint(x, y)) ? { x, y } : null
  }
  const { x, y } = await ask(tab, `${selector} ${name}`, find, selector, name.source)
  await tab.press(x, y)
}

/** The browser's back button. */
export const goBack = (tab: Tab): Promise<void> => tab.evaluate(() => void setTimeout(() => history.back()))

/** Waits until the service worker has cached the app. */
export const untilInstalled = (tab: Tab): Promise<void> =>
  until(tab, 'the service worker', async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return registration?.active?.state === 'activated'
  })

/** In German, and with a persistent session if a token is given. */
export async function start(tab: Tab, url: string, token: string | null): Promise<void> {
  await tab.goto(`${url}/faq`)
  await tab.evaluate(value => {
    localStorage.setItem('Language', 'de')
    if (value !== null) localStorage.setItem('SessionToken', value)
  }, token)
  await untilInstalled(tab)
}
