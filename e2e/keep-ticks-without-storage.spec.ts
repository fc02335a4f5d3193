import type { Page } from '@playwright/test'
import { changePresence, getCourseDates } from '#contract/attendance.ts'
import { violationsOf, WITH_PRACTICE } from './accessibility-steps.ts'
import {
  enterAsInstructor,
  expectState,
  openList,
  openRunningList,
  presentAtServer,
  rowOf,
  tickAbsent,
  tickOf,
} from './attendance-steps.ts'
import { expect, test } from './fixtures.ts'

const ALL_ARRIVED = 'Alles ist beim Portal angekommen.'
const CHANGE = `**${changePresence.path}`

const deleteDatabase = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase('attendance')
        request.onsuccess = () => resolve()
        request.onerror = () => reject(request.error)
      }),
  )

test('a database deleted under the open list takes no tick along', async ({ portal, context }) => {
  const { page, token, courseId, before } = await openRunningList(portal, context, 0)
  await context.setOffline(true)
  const names = await tickAbsent(page, 3)
  await expectState(page, names, 'auf diesem Gerät')
  await deleteDatabase(page)
  names.push(...(await tickAbsent(page, 1)))
  await expectState(page, names, 'auf diesem Gerät')
  for (const name of names) await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: da`)
  await context.setOffline(false)
  await expectState(page, names, 'bestätigt')
  await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
  expect((await presentAtServer(portal, token, courseId)).sort()).toEqual([...before, ...names].sort())
})

test('all storage evicted under the open list takes no tick along', async ({ portal, context }) => {
  const { page, token, courseId, before } = await openRunningList(portal, context, 1)
  await context.setOffline(true)
  const names = await tickAbsent(page, 3)
  await expectState(page, names, 'auf diesem Gerät')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: portal.url, storageTypes: 'indexeddb' })
  await page.evaluate(() => localStorage.removeItem('AttendanceUnsent'))
  await context.setOffline(false)
  await expectState(page, names, 'bestätigt')
  expect((await presentAtServer(portal, token, courseId)).sort()).toEqual([...before, ...names].sort())
})

test.describe('with answers that can be held back', () => {
  test.use({ serviceWorkers: 'block' })

  test('a database deleted while the app was closed is made good, and a damaged note says what is lost', async ({
    portal,
    context,
  }) => {
    const { page, token, courseId } = await openRunningList(portal, context, 2)
    await context.route(CHANGE, route => route.abort())
    const [kept = '', lost = ''] = await tickAbsent(page, 2)
    await expectState(page, [kept, lost], 'auf diesem Gerät')
    // A page of the portal that runs nothing, and so holds no database open.
    await page.goto('/robots.txt')
    await deleteDatabase(page)
    await page.evaluate(() => {
      const [first, second] = (localStorage.getItem('AttendanceUnsent') ?? '').split('\n')
      localStorage.setItem('AttendanceUnsent', `${first}\n${second?.replace('"isPresent":true', '"isPresent":7')}`)
    })
    await context.unroute(CHANGE)
    await openList(page, courseId)
    await expectState(page, [kept], 'bestätigt')
    expect(await presentAtServer(portal, token, courseId)).toContain(kept)
    await expect(page.getByText('1 Häkchen ging auf diesem Gerät verloren')).toBeVisible()
    await expect(page.getByText(ALL_ARRIVED)).toHaveCount(0)
    expect(await violationsOf(page, WITH_PRACTICE, 'main')).toEqual([])
    await page.getByRole('button', { name: 'Verstanden, Hinweis entfernen' }).click()
    await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
  })

  test('a storage that never answers sends straight to the portal, and nothing is called safe', async ({
    portal,
    context,
  }) => {
    const { page, token, courseId } = await enterAsInstructor(portal, context, 3)
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype
      IDBFactory.prototype.open = function (name, version) {
        return name === 'attendance' ? ({} as IDBOpenDBRequest) : open.call(this, name, version)
      }
    })
    await openList(page, courseId)
    const [name = ''] = await tickAbsent(page, 1)
    await expectState(page, [name], 'bestätigt')
    expect(await presentAtServer(portal, token, courseId)).toContain(name)
    await expect(page.getByText('Der Speicher dieses Geräts antwortet nicht.')).toBeVisible()
    await expect(page.getByText(ALL_ARRIVED)).toHaveCount(0)

    await context.route(CHANGE, route => route.abort())
    const [unstored = ''] = await tickAbsent(page, 1)
    await expectState(page, [unstored], 'nicht gespeichert')
    await expect(page.getByText('1 Häkchen steht nur in dieser offenen Seite.')).toBeVisible()
    await context.unroute(CHANGE)
    await expectState(page, [unstored], 'bestätigt')
  })

  test('entries that nobody can read stop nobody, and are shown until they are put away', async ({
    portal,
    context,
  }) => {
    const { page, token, courseId } = await openRunningList(portal, context, 0)
    await page.goto('/robots.txt')
    await page.evaluate(
      () =>
        new Promise<void>(resolve => {
          indexedDB.open('attendance').onsuccess = ({ target }) => {
            const { result: database } = target as IDBOpenDBRequest
            const transaction = database.transaction('entries', 'readwrite')
            transaction.objectStore('entries').put(null, '7/tick/1/1')
            transaction.objectStore('entries').put({ kind: 'later', state: 'waiting', recordedAt: 1 }, '7/later/1')
            transaction.oncomplete = () => {
              database.close()
              resolve()
            }
          }
        }),
    )
    const sent: string[] = []
    await context.route(CHANGE, route => {
      sent.push(route.request().postDataJSON().changeId)
      return route.continue()
    })
    await openList(page, courseId)
    const [name = ''] = await tickAbsent(page, 1)
    await expectState(page, [name], 'bestätigt')
    expect(sent).toHaveLength(1)
    expect(await presentAtServer(portal, token, courseId)).toContain(name)
    await expect(page.getByText('2 Einträge auf diesem Gerät lassen sich nicht lesen')).toBeVisible()
    await page.getByRole('button', { name: 'Verstanden, Hinweis entfernen' }).click()
    await expect(page.getByText(ALL_ARRIVED).first()).toBeVisible()
  })

  test('a tick is one request', async ({ portal, context }) => {
    const { page } = await openRunningList(portal, context, 1)
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', request => request.url().includes('/api/') && asked.push(request.url()))
    const [name = ''] = await tickAbsent(page, 1)
    await expectState(page, [name], 'bestätigt')
    // Longer than the calm after which the list used to be fetched anew.
    await page.waitForTimeout(3_000)
    expect(asked.filter(url => url.includes('/course/'))).toHaveLength(1)
    await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: da`)
  })
})

test('a tick that a later change overtook says so, and both decisions work', async ({ portal, context }) => {
  const { page, token, courseId } = await openRunningList(portal, context, 2)
  await context.setOffline(true)
  const [name = ''] = await tickAbsent(page, 1)
  await expectState(page, [name], 'auf diesem Gerät')
  const { participants, preSelectCourseDateId: courseDateId } = await portal.call(getCourseDates, {
    params: { id: courseId },
    token,
  })
  const webUserId = participants.find(person => person.name === name)?.id ?? 0
  await portal.call(changePresence, { token, body: { changeState: 'deleted', courseDateId, webUserId } })
  await context.setOffline(false)
  await expectState(page, [name], 'später anders eingetragen')
  // The same person on another device; of a colleague the portal says so.
  await expect(rowOf(page, name)).toContainText('Sie haben hier später auf einem anderen Gerät „fehlt“ eingetragen.')
  await expect(rowOf(page, name)).toContainText('Im Portal steht: fehlt.')
  await expect(page.getByText('Eine Änderung braucht Ihre Entscheidung.').first()).toBeVisible()
  await page.getByRole('button', { name: `Noch einmal senden: ${name}` }).click()
  await expectState(page, [name], 'bestätigt')
  expect(await presentAtServer(portal, token, courseId)).toContain(name)
})
