import type { Browser, Page } from '@playwright/test'
import type { Target } from './fixture.ts'
import { type AttackResult, createAttackResult } from './report.ts'

/** XSS payloads that call `hit()` if executed. */
const PAYLOADS = [
  '<script>hit()</script>',
  '<img src=x onerror=hit()>',
  '<img src=x onerror="hit()" alt="a">',
  '<svg onload=hit()>',
  '<svg><script>hit()</script></svg>',
  '<svg><animate onbegin=hit() attributeName=x dur=1s>',
  '<details open ontoggle=hit()>x</details>',
  '<video><source onerror=hit()></video>',
  '<audio src=x onerror=hit()>',
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  '<iframe src="javascript:parent.hit()"></iframe>',
  '<object data="javascript:parent.hit()"></object>',
  '<body onload=hit()>',
  '<input autofocus onfocus=hit()>',
  '<select autofocus onfocus=hit()><option>a</select>',
  '<marquee onstart=hit()>a</marquee>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=hit()></style></mglyph></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=hit()>',
  '<noscript><p title="</noscript><img src=x onerror=hit()>">',
  '<template><img src=x onerror=hit()></template><img src=x onerror=hit()>',
  '<p style="animation-name:x" onanimationstart=hit()>a</p>',
  '<a href="javascript:hit()" id="click">a</a>',
  '<a href="&#106;avascript:hit()" id="click">a</a>',
  '<a href="java\tscript:hit()" id="click">a</a>',
  '"><img src=x onerror=hit()>',
  '<<img src=x onerror=hit()>',
  '<img/src=x/onerror=hit()>',
  '<p>ok</p><!--><img src=x onerror=hit()>-->',
]

type Layers = { isCleaned: boolean; hasPolicy: boolean }
type Counter = { hits?: number; hit?: () => void }

const openCourse = async (page: Page, { portal, courseId }: Target) => {
  await page.goto(`${portal.url}/course-details/${courseId}`, { waitUntil: 'load' })
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Whether a payload was executed since the last call. */
async function takeHits(page: Page): Promise<boolean> {
  await page
    .locator('#click')
    .first()
    .click({ timeout: 300, noWaitAfter: true })
    .catch(() => undefined)
  await page.waitForTimeout(100)
  return page.evaluate(() => {
    const counter = globalThis as Counter
    const hasRun = (counter.hits ?? 0) > 0
    counter.hits = 0
    return hasRun
  })
}

/**
 * Delivers the payload in a course text, bypassing the server's sanitizer, so that only the app's sanitizer is tested.
 */
async function showInCourse(page: Page, target: Target, payload: string): Promise<boolean> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(
    address => address.origin === target.portal.url && /^\/api\/course(?:\/\d+)?$/.test(address.pathname),
    async route => {
      const answer = await route.fetch()
      const json = await answer.json()
      const change = (course: object) => ({ ...course, textWeb: payload, conditions: payload })
      const isIndex = !Array.isArray(json) && 'columns' in json
      await route.fulfill({
        response: answer,
        json: isIndex ? json : Array.isArray(json) ? json.map(change) : change(json),
      })
    },
  )
  await openCourse(page, target)
  return takeHits(page)
}

/** Inserts the payload into the page without sanitizing it, so that only the CSP is tested. */
async function showRaw(page: Page, payload: string): Promise<boolean> {
  await page
    .evaluate(html => {
      const box = document.createElement('div')
      document.body.append(box)
      box.innerHTML = html
      for (const script of box.querySelectorAll('script')) {
        const live = document.createElement('script')
        live.textContent = script.textContent
        box.append(live)
      }
    }, payload)
    .catch(() => undefined)
  const hasRun = await takeHits(page)
  await page.evaluate(() => document.body.lastElementChild?.remove())
  return hasRun
}

/** Runs the payloads against the sanitizer, then against the CSP, then without either as a control. */
export async function attackWithHtml(browser: Browser, target: Target): Promise<AttackResult[]> {
  const layers: [name: string, Layers, mayRun: boolean][] = [
    ['HTML, all layers', { isCleaned: true, hasPolicy: true }, false],
    ['HTML, without the policy', { isCleaned: true, hasPolicy: false }, false],
    ['HTML, without the cleaners', { isCleaned: false, hasPolicy: true }, false],
    ['HTML, control without any layer', { isCleaned: false, hasPolicy: false }, true],
  ]
  const outcomes: AttackResult[] = []
  for (const [name, { isCleaned, hasPolicy }, mayRun] of layers) {
    const { outcome, note } = createAttackResult(name)
    const context = await browser.newContext({ bypassCSP: !hasPolicy, serviceWorkers: 'block' })
    const page = await context.newPage()
    await page.addInitScript(() => {
      const counter = globalThis as Counter
      counter.hit = () => {
        counter.hits = (counter.hits ?? 0) + 1
      }
    })
    await openCourse(page, target)
    let ran = 0
    for (const payload of PAYLOADS) {
      const hasRun = isCleaned ? await showInCourse(page, target, payload) : await showRaw(page, payload)
      if (hasRun) ran += 1
      note(hasRun && !mayRun ? payload : null)
    }
    if (mayRun && ran < PAYLOADS.length / 3) outcome.failures.push(`the corpus is dead: only ${ran} ran`)
    if (mayRun) console.log(`control: ${ran} of ${PAYLOADS.length} payloads run where nothing stands against them`)
    await context.close()
    outcomes.push(outcome)
  }
  return outcomes
}
