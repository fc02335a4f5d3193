import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listBookedCourses } from '../../contract/endpoints/courses.ts'
import { login } from '../../contract/endpoints/session.ts'
import { findFirefox } from '../../e2e/browsers.ts'
import type { Tab } from '../../e2e/engines/driver.ts'
import { type Firefox, openFirefox } from '../../e2e/engines/firefox-engine.ts'
import { press, see, start, until } from '../../e2e/engines/tab-steps.ts'
import { Gate } from '../../e2e/gate-fixture.ts'
import { DEMO_PASSWORD, emailOf, Portal } from '../../e2e/portal.ts'

const path = await findFirefox()
if (path === null) console.log('Skipped: there is no Firefox of version 140 or later')

describe.skipIf(path === null)('the app with its service worker in Firefox', { timeout: 180_000 }, () => {
  let [folder, token]: string[] = []
  let portal: Portal
  let gate: Gate
  let firefox: Firefox
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'firefox-'))
    for (const name of ['profile', 'downloads']) await mkdir(join(folder, name))
    portal = await Portal.open()
    gate = await Gate.before(portal)
    const body = { userName: emailOf('employee'), password: DEMO_PASSWORD, keepSession: true }
    token = (await portal.call(login, { body })).id
    const preferences = {
      'browser.download.dir': join(folder, 'downloads'),
      'browser.download.folderList': 2,
      'browser.download.useDownloadDir': true,
      'permissions.default.desktop-notification': 1,
      // The desktop's own notifications need a service that a server lacks.
      'alerts.useSystemBackend': false,
      'dom.push.testing.ignorePermission': true,
      // Messages are delivered by the test instead of the push service.
      'dom.push.connection.enabled': false,
    }
    firefox = await openFirefox(path ?? '', join(folder, 'profile'), { preferences, isPrivileged: true })
    await start(firefox.tab, gate.url, token)
  }, 180_000)
  afterAll(async () => {
    await firefox?.close()
    await gate?.close()
    await portal?.close()
    await rm(folder ?? '', { recursive: true, force: true, maxRetries: 5 })
  })

  /** Addresses of the open tabs. */
  const listTabs = async () => {
    const { contexts } = (await firefox.send('browsingContext.getTree', { maxDepth: 0 })) as {
      contexts: { url: string }[]
    }
    return contexts.map(({ url }) => url)
  }
  /** Delivers a message as the push service does. */
  const push = (payload: object) =>
    firefox.system?.evaluate(
      (scope, text) => {
        const { Cc, Ci, Services } = globalThis as unknown as System
        const principal = Services.scriptSecurityManager.createContentPrincipalFromOrigin(new URL(scope).origin)
        const notifier = Cc['@mozilla.org/push/Notifier;1'].getService(Ci.nsIPushNotifier)
        notifier.notifyPushWithData(scope, principal, crypto.randomUUID(), [...new TextEncoder().encode(text)])
      },
      `${gate.url}/`,
      JSON.stringify(payload),
    )
  /** Clicks the only notification that is shown. */
  const clickNotification = () =>
    until(firefox.system as Tab, 'the window of the notification', () => {
      const { Services } = globalThis as unknown as System
      const [alert] = Services.wm.getEnumerator('alert:alert')
      alert?.document.getElementById('alertBox')?.click()
      return alert !== undefined
    })

  test('a tapped push message opens its page, and leaves a form with input alone', async () => {
    const { tab } = firefox
    await tab.goto(`${gate.url}/edit`)
    await press(tab, 'main input[name=givenName]', /^/)
    await tab.type('Kim-')
    const typed = () =>
      tab.evaluate(() => document.querySelector<HTMLInputElement>('main input[name=givenName]')?.value)
    const input = await typed()
    expect(input).toContain('Kim-')
    await push({ title: 'Morgen um 18:00 Uhr', body: 'Ihr Termin.', path: '/contact', tag: 'a 1' })
    await until(tab, 'the notification', async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).some(({ title }) => title === 'Morgen um 18:00 Uhr')
    })
    await clickNotification()
    await expect.poll(listTabs, { timeout: 20_000 }).toContain(`${gate.url}/contact`)
    expect(await typed()).toBe(input)
  })

  test('the calendar of a booked course is downloaded through the worker', async () => {
    const [course] = await portal.call(listBookedCourses, { token: token ?? '' })
    await firefox.tab.goto(`${gate.url}/course-details/${course?.id}`)
    await press(firefox.tab, 'main button', /^In den Kalender$/)
    const downloads = join(folder ?? '', 'downloads')
    const finished = async () => (await readdir(downloads)).filter(name => name.endsWith('.ics'))
    await expect.poll(finished, { timeout: 20_000 }).toHaveLength(1)
    await expect
      .poll(async () => readFile(join(downloads, (await finished())[0] ?? ''), 'utf8'), { timeout: 20_000 })
      .toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*END:VCALENDAR\r\n$/)
  })

  test('a document saved for offline use is marked although the question about storage is open', async () => {
    const { tab } = firefox
    // Otherwise all documents are saved automatically.
    await firefox.send('script.addPreloadScript', {
      functionDeclaration: "() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } })",
    })
    await tab.goto(`${gate.url}/home`)
    await tab.evaluate(() => caches.delete('documents-flyers'))
    await tab.goto(`${gate.url}/flyers`)
    await press(tab, 'main button', /^Offline behalten: Gesund durch den Winter$/)
    await until(tab, 'the mark', () => document.querySelector('main [aria-pressed=true]')?.textContent === 'Offline')
    gate.isOpen = false
    await tab.goto(`${gate.url}/flyers`)
    const load = () => fetch('/content/gesund-durch-den-winter.pdf').then(async answer => (await answer.blob()).size)
    expect(await tab.evaluate(load)).toBeGreaterThan(10_000)
  })

  test('pages open offline, also one that was never opened', async () => {
    const { tab } = firefox
    gate.isOpen = true
    await tab.goto(`${gate.url}/courses`)
    await see(tab, /\d+ Kurse/)
    gate.isOpen = false
    await tab.goto(`${gate.url}/home`)
    await until(tab, 'the start page', () => document.querySelector('main h1') !== null)
    await tab.goto(`${gate.url}/password-change`)
    await until(tab, 'the form', () => document.querySelector('main input[type=password]') !== null)
    await tab.goto(`${gate.url}/courses`)
    await see(tab, /\d+ Kurse/)
    expect(gate.faults, 'faults that the app reported').toEqual([])
  })
})

/** What scripts with the privileges of Firefox use of its interfaces. */
type System = {
  Services: {
    scriptSecurityManager: { createContentPrincipalFromOrigin(origin: string): object }
    wm: { getEnumerator(kind: string): Iterable<Window> }
  }
  Ci: { nsIPushNotifier: object }
  Cc: Record<'@mozilla.org/push/Notifier;1', { getService(kind: object): Notifier }>
}
type Notifier = { notifyPushWithData(scope: string, principal: object, id: string, data: number[]): void }
