import type { Browser, Page } from '@playwright/test'
import type { Target } from './fixture.ts'
import { type AttackResult, createAttackResult } from './report.ts'

/** All browser storage of this origin, as text. */
const readDevice = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const parts: string[] = [
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      document.cookie,
    ]
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name } of await indexedDB.databases()) {
      const database = await settle(indexedDB.open(name ?? ''))
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store)
        parts.push(JSON.stringify([await settle(objects.getAllKeys()), await settle(objects.getAll())]))
      }
      database.close()
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const type = (await cache.match(request))?.headers.get('Content-Type') ?? ''
        const body = /json|html|text/.test(type) ? await (await cache.match(request))?.text() : ''
        parts.push(`${request.url} ${body}`)
      }
    }
    return parts.join('\n')
  })

/** Searches a device for personal data that remain after an instructor and a participant have logged out. */
export async function attackDevice(browser: Browser, target: Target): Promise<AttackResult> {
  const { outcome, note } = createAttackResult('leftovers on a device')
  const { portal, people, courseId } = target
  const context = await browser.newContext({ locale: 'de-DE', viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  for (const person of [people.teacher, people.participant]) {
    await page.goto(`${portal.url}/home`)
    await page.evaluate(token => sessionStorage.setItem('SessionToken', token), person.token)
    for (const path of [`/course-participation/${courseId}`, '/courses/booked', '/messages', '/edit', '/photo-album']) {
      await page.goto(`${portal.url}${path}`)
      await page.waitForTimeout(800)
    }
    note((await page.locator('body').innerText()) === '' ? 'the pages stay empty' : null)
    await page.goto(`${portal.url}/home`)
    await page.getByRole('button', { name: 'Menü' }).click()
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await page.waitForTimeout(1_500)
    const left = await readDevice(page)
    const names = Object.values(people)
    for (const { secret, name, email } of names) {
      note(left.includes(secret) ? `a secret of ${name} after ${person.name}` : null)
      note(left.includes(`Nach${name}`) ? `the name of ${name} after ${person.name}` : null)
      note(left.includes(email) ? `the e-mail of ${name} after ${person.name}` : null)
    }
    note(left.includes(person.token) ? `the token of ${person.name}` : null)
    note(left.includes('CANARYROOM') ? `the online room after ${person.name}` : null)
  }
  await context.close()
  return outcome
}

/** Searches the log of all calls for tokens, passwords and personal data. */
export function attackLog(target: Target, password: string): AttackResult {
  const { outcome, note } = createAttackResult('canaries in the log')
  const { output } = target.portal
  for (const { name, token, secret, email } of Object.values(target.people)) {
    note(output.includes(token) ? `the token of ${name}` : null)
    note(output.includes(secret) ? `a secret of ${name}` : null)
    note(output.includes(email) ? `the e-mail of ${name}` : null)
  }
  note(output.includes(password) ? 'the password' : null)
  note(output.length > 0 ? null : 'the log is empty: nothing was looked at')
  return outcome
}
