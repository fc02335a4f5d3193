import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { login, resetPassword } from '#contract/endpoints/session.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/db/client.ts'
import { createLog } from '#server/platform/observability/log.ts'
import { insertWebUser } from '#server/test/factories.ts'
import { PASSWORD, passwordHash } from '#server/test/password.ts'
import { behindProxy, openTestServer } from '#server/test/server.ts'

const WRONG = 'Falsch-12345'
const server = await openTestServer(behindProxy)
beforeEach(() => server.db.execute(sql`delete from throttle_events`))

let addresses = 0
const newAddress = () => `10.1.${Math.floor(++addresses / 250)}.${addresses % 250}`
const insertPerson = (values = {}) => insertWebUser(server.db, { passwordHash, ...values })

/** A browser with a cookie jar. */
const openBrowser = (address = newAddress()) => {
  const jar = new Map([['XSRF-TOKEN', 'test']])
  return {
    jar,
    address,
    async logIn(userName: string, password = PASSWORD) {
      const answer = await server.request(login, {
        body: { userName, password },
        headers: { 'X-Forwarded-For': address, Cookie: [...jar].map(pair => pair.join('=')).join('; ') },
      })
      for (const cookie of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
        jar.set(name, value)
      }
      return answer
    },
  }
}
const statusOf = async (answer: ReturnType<ReturnType<typeof openBrowser>['logIn']>) => (await answer).body.status

/** Failed attempts by others, as the login records them. */
const fail = (email: string, address: string, count: number) =>
  server.db.execute(sql`
    insert into throttle_events (kind, subject, address)
    select 'login', ${email}, ${address} from generate_series(1, ${count})`)

test('failed attempts by others do not lock out a browser that has logged in before', async () => {
  const { email } = await insertPerson()
  const browser = openBrowser()
  expect(await statusOf(browser.logIn(email))).toBe('Ok')
  const colleague = openBrowser(browser.address)
  for (let guess = 1; guess <= 5; guess++) expect(await statusOf(colleague.logIn(email, WRONG))).toBe('WrongPWorUser')
  await fail(email, '192.0.2.1', 100)
  expect(await statusOf(colleague.logIn(email))).toBe('TooManyFailures')
  expect(await statusOf(openBrowser().logIn(email))).toBe('TooManyFailures')
  expect(await statusOf(browser.logIn(email))).toBe('Ok')
})

test('a known browser has a limit of five attempts of its own, which does not affect others', async () => {
  const { email } = await insertPerson()
  const browser = openBrowser()
  await browser.logIn(email)
  for (let guess = 1; guess <= 5; guess++) expect(await statusOf(browser.logIn(email, WRONG))).toBe('WrongPWorUser')
  expect(await statusOf(browser.logIn(email))).toBe('TooManyFailures')
  expect(await statusOf(openBrowser(browser.address).logIn(email))).toBe('Ok')
})

test('a browser is known only for accounts that it has logged in to', async () => {
  const [own, other, stranger] = [await insertPerson(), await insertPerson(), await insertPerson()]
  const browser = openBrowser()
  for (const { email } of [own, other]) expect(await statusOf(browser.logIn(email))).toBe('Ok')
  for (const { email } of [own, other, stranger]) await fail(email, browser.address, 5)
  expect(await statusOf(browser.logIn(stranger.email))).toBe('TooManyFailures')
  expect(await statusOf(browser.logIn(own.email))).toBe('Ok')
  expect(await statusOf(browser.logIn(other.email))).toBe('Ok')
})

test('the cookie of a known browser is inaccessible to scripts and other sites, and does not log in', async () => {
  const { id, email } = await insertPerson()
  const browser = openBrowser()
  const { headers } = await browser.logIn(email)
  const [cookie = ''] = headers.getSetCookie()
  expect(cookie).toMatch(/; HttpOnly/i)
  expect(cookie).toMatch(/; SameSite=Strict/i)
  expect(cookie).toMatch(/; Path=\/api/i)
  const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
  expect(await statusOf(browser.logIn(email, WRONG))).toBe('WrongPWorUser')
  const { rows } = await server.db.one<{ rows: string }>(sql`
    select jsonb_agg(d)::text as rows from known_devices d where web_user_id = ${id}`)
  expect(rows).not.toContain(value)
  expect(Buffer.from(value, 'base64url').length).toBeGreaterThanOrEqual(32)

  const forged = openBrowser(browser.address)
  forged.jar.set(name, 'A'.repeat(value.length))
  await fail(email, browser.address, 5)
  expect(await statusOf(forged.logIn(email))).toBe('TooManyFailures')
})

/** Failed attempts on many users, as the login records them. */
const spray = (address: string, count: number) =>
  server.db.execute(sql`
    insert into throttle_events (kind, subject, address)
    select 'spray', 'someone' || i || '@demo.example', ${address} from generate_series(1, ${count}) as i`)

test('attempts from one IP address on many users are slowed, then rejected, without affecting other browsers', async () => {
  const { email } = await insertPerson()
  const browser = openBrowser()
  await browser.logIn(email)
  const sprayer = openBrowser(browser.address)
  const timeOf = async (userName: string) => {
    const startedAt = performance.now()
    expect(await statusOf(sprayer.logIn(userName, WRONG))).toBe('WrongPWorUser')
    return performance.now() - startedAt
  }
  await timeOf('first@demo.example')
  await spray(browser.address, 149)
  expect(await timeOf('next@demo.example')).toBeGreaterThan(300)
  await spray(browser.address, 250)
  for (const password of [WRONG, PASSWORD]) {
    const refused = await sprayer.logIn(email, password)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(60)
  }
  expect(await statusOf(browser.logIn(email))).toBe('Ok')
  expect(await statusOf(openBrowser().logIn(email))).toBe('Ok')
})

test('hundreds of concurrent attempts are answered quickly, mostly with a rejection, while others can log in', async () => {
  const { email } = await insertPerson()
  const browser = openBrowser()
  await browser.logIn(email)
  const sprayer = openBrowser(browser.address)
  const flood = Array.from({ length: 300 }, (_, index) => sprayer.logIn(`nobody${index}@demo.example`, WRONG))
  let answered = 0
  for (const answer of flood) answer.then(() => answered++)
  expect(await statusOf(browser.logIn(email))).toBe('Ok')
  expect(await statusOf(openBrowser().logIn(email))).toBe('Ok')
  expect(answered).toBeLessThan(150)
  const refused = (await Promise.all(flood)).filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(100)
  for (const { headers } of refused) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
}, 60_000)

test('slowed IP addresses do not delay others, however many they are', {
  tags: 'extended',
  timeout: 30_000,
}, async () => {
  const { email } = await insertPerson()
  const sprayers = Array.from({ length: 40 }, () => openBrowser())
  for (const { address } of sprayers) await spray(address, 300)
  const guesses = sprayers.map(({ logIn }, index) => logIn(`someone${index}@demo.example`, WRONG))
  let answered = 0
  for (const guess of guesses) guess.then(() => answered++)
  await sleep(500)
  expect(await statusOf(openBrowser().logIn(email))).toBe('Ok')
  expect(answered).toBe(0)
  await Promise.all(guesses)
})

test('failed attempts are counted per IP address until the correct password follows', async () => {
  const { email } = await insertPerson()
  const count = async (address: string) =>
    (
      await server.db.one<{ count: number }>(sql`
        select count(*)::int as count from throttle_events where kind = 'spray' and address = ${address}`)
    ).count
  const { address, logIn } = openBrowser()
  for (const userName of [email, email, 'nobody@demo.example']) await logIn(userName, WRONG)
  expect(await count(address)).toBe(3)
  await logIn(email)
  expect(await count(address)).toBe(1)
})

test('probing for registered addresses slows its own network and locks out no account', {
  tags: 'extended',
}, async () => {
  const { email } = await insertPerson()
  const browser = openBrowser()
  await browser.logIn(email)
  await server.db.execute(sql`
    insert into throttle_events (kind, subject, address)
    select 'probe', 'x' || i || '@demo.example', ${browser.address} from generate_series(1, 2000) as i`)
  const ask = async (userName: string, cookies = 'XSRF-TOKEN=test') => {
    const startedAt = performance.now()
    const { status, body } = await server.request(resetPassword, {
      body: { userName },
      headers: { 'X-Forwarded-For': browser.address, Cookie: cookies },
    })
    return { status, outcome: body.status, ms: performance.now() - startedAt }
  }
  const neighbour = await insertPerson()
  const slowed = await ask(neighbour.email)
  expect(slowed).toMatchObject({ status: 200, outcome: 'Ok' })
  expect(slowed.ms).toBeGreaterThan(1000)
  const own = await ask(email, [...browser.jar].map(pair => pair.join('=')).join('; '))
  expect(own).toMatchObject({ status: 200, outcome: 'Ok' })
  expect(own.ms).toBeLessThan(slowed.ms / 2)

  await server.db.execute(sql`
    delete from throttle_events where id in (select id from throttle_events where kind = 'probe' limit 1700)`)
  const flood = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(`unknown${index}@demo.example`)))
  expect(flood.filter(({ status }) => status === 429).length).toBeGreaterThan(5)
})

test('the log reports failures, limits and a rising rate, without names of people', async () => {
  const lines: string[] = []
  const { app } = createApp({
    ...server.context,
    log: createLog('info', { write: line => void lines.push(line) }),
  })
  const { id, email } = await insertPerson()
  const address = newAddress()
  const send = (userName: string, password: string) =>
    app.request('/api/session', {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        Cookie: 'XSRF-TOKEN=test',
        'X-XSRF-TOKEN': 'test',
        'X-Forwarded-For': address,
      },
      body: JSON.stringify({ userName, password }),
    })
  await spray('192.0.2.9', 60)
  for (let guess = 1; guess <= 5; guess++) await send(email, WRONG)
  await send('nobody@demo.example', WRONG)
  const events = lines.map(line => JSON.parse(line)).filter(({ security }) => security)
  const named = (name: string) => events.filter(({ security }) => security === name)
  expect(named('login.failed')).toHaveLength(6)
  expect(named('login.limit')).toMatchObject([{ webUserId: id }])
  expect(named('login.failures-rising')).toMatchObject([{ level: 40, failures: expect.any(Number) }])
  expect(lines.join()).not.toContain(email)
  expect(lines.join()).not.toContain('nobody@')
  expect(lines.join()).not.toContain(address)
})
