import type { Page } from '@playwright/test'
import { changePresence, getCourseDates } from '#contract/endpoints/attendance.ts'
import { violationsOf, WITH_PRACTICE } from './accessibility-steps.ts'
import {
  ALL_ARRIVED,
  enterAsInstructor,
  expectAllArrived,
  expectState,
  openList,
  openRunningList,
  rowOf,
  tickAbsent,
  tickOf,
  tickUntil,
} from './attendance-steps.ts'
import { expect, test } from './fixtures.ts'

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

test('deleting the database while the list is open loses no attendance change @extended', async ({
  portal,
  context,
}) => {
  const { page, before, readPresent } = await openRunningList(portal, context, 0)
  await context.setOffline(true)
  const names = await tickUntil(page, 'auf diesem Gerät', 3)
  await deleteDatabase(page)
  names.push(...(await tickAbsent(page, 1)))
  await expectState(page, names, 'auf diesem Gerät')
  for (const name of names) await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: da`)
  await context.setOffline(false)
  await expectState(page, names, 'bestätigt')
  await expectAllArrived(page)
  expect((await readPresent()).sort()).toEqual([...before, ...names].sort())
})

test('evicting all storage while the list is open loses no attendance change @extended', async ({
  portal,
  context,
}) => {
  const { page, before, readPresent } = await openRunningList(portal, context, 1)
  await context.setOffline(true)
  const names = await tickUntil(page, 'auf diesem Gerät', 3)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: portal.url, storageTypes: 'indexeddb' })
  await page.evaluate(() => localStorage.removeItem('AttendanceUnsent'))
  await context.setOffline(false)
  await expectState(page, names, 'bestätigt')
  expect((await readPresent()).sort()).toEqual([...before, ...names].sort())
})

test.describe('without the service worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a database deleted while the app was closed is restored from the journal, and damaged entries are reported @extended', async ({
    portal,
    context,
  }) => {
    const { page, courseId, readPresent } = await openRunningList(portal, context, 2)
    await context.route(CHANGE, route => route.abort())
    const [kept = ''] = await tickUntil(page, 'auf diesem Gerät', 2)
    // A page of the portal without scripts, which therefore keeps no database connection open.
    await page.goto('/robots.txt')
    await deleteDatabase(page)
    await page.evaluate(() => {
      const [first, second] = (localStorage.getItem('AttendanceUnsent') ?? '').split('\n')
      localStorage.setItem('AttendanceUnsent', `${first}\n${second?.replace('"isPresent":true', '"isPresent":7')}`)
    })
    await context.unroute(CHANGE)
    await openList(page, courseId)
    await expectState(page, [kept], 'bestätigt')
    expect(await readPresent()).toContain(kept)
    await expect(page.getByText('1 Häkchen ging auf diesem Gerät verloren')).toBeVisible()
    await expect(page.getByText(ALL_ARRIVED)).toHaveCount(0)
    expect(await violationsOf(page, WITH_PRACTICE, 'main')).toEqual([])
    await page.getByRole('button', { name: 'Verstanden, Hinweis entfernen' }).click()
    await expectAllArrived(page)
  })

  test('with an unresponsive database, changes are sent directly, and none is reported as saved @extended', async ({
    portal,
    context,
  }) => {
    const { page, courseId, readPresent } = await enterAsInstructor(portal, context, 3)
    await page.addInitScript(() => {
      const { open } = IDBFactory.prototype
      IDBFactory.prototype.open = function (name, version) {
        return name === 'attendance' ? ({} as IDBOpenDBRequest) : open.call(this, name, version)
      }
    })
    await openList(page, courseId)
    const [name = ''] = await tickUntil(page, 'bestätigt', 1)
    expect(await readPresent()).toContain(name)
    await expect(page.getByText('Der Speicher dieses Geräts antwortet nicht.')).toBeVisible()
    await expect(page.getByText(ALL_ARRIVED)).toHaveCount(0)

    await context.route(CHANGE, route => route.abort())
    const [unstored = ''] = await tickUntil(page, 'nicht gespeichert', 1)
    await expect(page.getByText('1 Eintrag steht nur in dieser offenen Seite.')).toBeVisible()
    await context.unroute(CHANGE)
    await expectState(page, [unstored], 'bestätigt')
  })

  test('unreadable entries do not block others, and are reported until dismissed @extended', async ({
    portal,
    context,
  }) => {
    const { page, courseId, readPresent } = await openRunningList(portal, context, 0)
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
    const [name = ''] = await tickUntil(page, 'bestätigt', 1)
    expect(sent).toHaveLength(1)
    expect(await readPresent()).toContain(name)
    await expect(page.getByText('2 Einträge auf diesem Gerät lassen sich nicht lesen')).toBeVisible()
    await page.getByRole('button', { name: 'Verstanden, Hinweis entfernen' }).click()
    await expectAllArrived(page)
  })

  test('an attendance change takes a single request @extended', async ({ portal, context }) => {
    const { page } = await openRunningList(portal, context, 1)
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', request => request.url().includes('/api/') && asked.push(request.url()))
    const [name = ''] = await tickUntil(page, 'bestätigt', 1)
    // Longer than the idle time after which an earlier version refetched the list.
    await page.waitForTimeout(3_000)
    expect(asked.filter(url => url.includes('/course/'))).toHaveLength(1)
    await expect(tickOf(page, name)).toHaveAccessibleName(`${name}: da`)
  })
})

test('a change superseded by a later one asks the user for a decision, and can be sent again @extended', async ({
  portal,
  context,
}) => {
  const { page, token, courseId, readPresent } = await openRunningList(portal, context, 2)
  await context.setOffline(true)
  const [name = ''] = await tickUntil(page, 'auf diesem Gerät', 1)
  const { participants, preSelectCourseDateId: courseDateId } = await portal.call(getCourseDates, {
    params: { id: courseId },
    token,
  })
  const webUserId = participants.find(person => person.name === name)?.id ?? 0
  await portal.call(changePresence, { token, body: { changeState: 'deleted', courseDateId, webUserId } })
  await context.setOffline(false)
  await expectState(page, [name], 'später anders eingetragen')
  // The change is by the same person on another device; changes by a colleague are reported as such.
  await expect(rowOf(page, name)).toContainText('Sie haben hier später auf einem anderen Gerät „fehlt“ eingetragen.')
  await expect(rowOf(page, name)).toContainText('Im Portal steht: fehlt.')
  await expect(page.getByText('Eine Änderung braucht Ihre Entscheidung.').first()).toBeVisible()
  await page.getByRole('button', { name: `„da“ eintragen: ${name}` }).click()
  await expectState(page, [name], 'bestätigt')
  expect(await readPresent()).toContain(name)
})
