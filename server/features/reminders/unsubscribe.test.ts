import { expect, test } from 'vitest'
import { changeReminders, DEFAULT_REMINDERS, getReminders } from '#contract/endpoints/reminders.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { findReminders, lockReminders, saveReminders } from './repository.ts'
import { findUnsubscribeUrl } from './service.ts'

const server = await openTestServer()
const ON = { mail: true, push: true }
const REPORTS = { weekly: true, monthly: true }
const ALL = {
  ...DEFAULT_REMINDERS,
  changes: ON,
  lessonEve: ON,
  opening: ON,
  waiting: ON,
  lessonPlaces: ON,
  officeReport: REPORTS,
}
const ONE_CLICK = 'List-Unsubscribe=One-Click'

async function insertPerson(wanted = ALL) {
  const person = await insertUserWithSession(server.db)
  await server.request(changeReminders, { token: person.token, body: wanted })
  const pathOf = async (kind: string) =>
    (await findUnsubscribeUrl(server.db, '', { webUserId: person.id, kind })) ?? expect.fail(`no link in ${kind}`)
  const read = async () => (await server.request(getReminders, { token: person.token })).body
  return { ...person, pathOf, read }
}

const post = async (path: string, body: URLSearchParams | FormData = new URLSearchParams(ONE_CLICK)) =>
  (await server.app.request(path, { method: 'POST', body })).status

const asForm = () => {
  const form = new FormData()
  form.append('List-Unsubscribe', 'One-Click')
  return form
}

test.each([
  ['lesson-eve', 'lessonEve', new URLSearchParams(ONE_CLICK)],
  ['opening', 'opening', asForm()],
  ['waiting-news', 'waiting', asForm()],
  ['lesson-place', 'lessonPlaces', asForm()],
] as const)('the link of %s ends these e-mails without a login, and nothing else', async (kind, reminder, body) => {
  const { pathOf, read } = await insertPerson()
  for (const _ of [1, 2]) {
    expect(await post(await pathOf(kind), body)).toBe(200)
    expect(await read()).toEqual({ ...ALL, [reminder]: { mail: false, push: true } })
  }
})

test('the link of a report ends the reports of the desk by e-mail', async () => {
  const { pathOf, read } = await insertPerson()
  expect(await post(await pathOf('office-report'))).toBe(200)
  const { officeReport: _, ...others } = ALL
  expect(await read()).toEqual(others)
})

test('who never chose ends e-mails that are on by default', async () => {
  const person = await insertUserWithSession(server.db)
  const path = await findUnsubscribeUrl(server.db, '', { webUserId: person.id, kind: 'lesson-place' })
  expect(await post(String(path))).toBe(200)
  const { body } = await server.request(getReminders, { token: person.token })
  expect(body).toEqual({ ...DEFAULT_REMINDERS, lessonPlaces: { mail: false, push: false } })
})

test('opening the link, as link scanners do, ends nothing and leads to the settings', async () => {
  const { pathOf, read } = await insertPerson()
  for (const method of ['GET', 'HEAD'])
    for (const [kind, page] of [
      ['opening', '/reminders'],
      ['office-report', '/office#report-mail'],
    ] as const) {
      const answer = await server.app.request(await pathOf(kind), { method })
      expect(answer.status).toBe(302)
      expect(answer.headers.get('Location')).toBe(server.context.config.publicUrl + page)
    }
  expect(await read()).toEqual(ALL)
})

test('a link cannot be made for another person or another kind of e-mail', async () => {
  const [mine, other] = [await insertPerson(), await insertPerson()]
  const path = await mine.pathOf('opening')
  for (const forged of [
    path.replace(`/${mine.id}.`, `/${other.id}.`),
    path.replace('.opening.', '.waiting-news.'),
    path.replace('.opening.', '.booking.'),
    path.replace(/\.(.)([^.]*)$/, (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`),
    `${path}A`,
    path.replace(/\.[^.]*$/, '.'),
    '/api/unsubscribe/x',
  ])
    expect(await post(forged), forged).toBe(404)
  expect(await mine.read()).toEqual(ALL)
  expect(await other.read()).toEqual(ALL)
})

test('e-mails about bookings and accounts, and those without an account, have no link', async () => {
  for (const kind of ['booking', 'activation', 'message', 'constructor'])
    expect(await findUnsubscribeUrl(server.db, '', { webUserId: 1, kind })).toBeNull()
  expect(await findUnsubscribeUrl(server.db, '', { webUserId: null, kind: 'opening' })).toBeNull()
})

test('a change of the preferences waits for an unsubscription, which therefore does not overwrite it', async () => {
  const { id, token, read } = await insertPerson()
  const wanted = { ...ALL, changes: { mail: false, push: false } }
  const saving = await server.db.transaction(async tx => {
    await lockReminders(tx, id)
    const found = await findReminders(tx, id)
    const request = server.request(changeReminders, { token, body: wanted })
    await server.database.untilWaiting(1)
    await saveReminders(tx, id, found ?? expect.fail('no reminders'))
    return { request }
  })
  expect((await saving.request).status).toBe(200)
  expect(await read()).toEqual(wanted)
})
