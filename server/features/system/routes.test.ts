import { Writable } from 'node:stream'
import pino from 'pino'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  CSP_REPORT_PREFIX,
  getConfig,
  getDateTime,
  getDocs,
  getHealth,
  getLiveness,
  getOpenApi,
  getReadiness,
  reportClientError,
} from '#contract/endpoints/system.ts'
import { getToday } from '#contract/office/today.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCourse, insertSeason, insertUserWithSession } from '#server/test/factories.ts'
import { insertOfficer } from '#server/test/office.ts'
import { createTestServer, openTestServer } from '#server/test/server.ts'
import { redactPersonalData } from './routes.ts'

const server = await openTestServer({ publicUrl: 'https://sport.example.com' })

test('the configuration names the addresses of pictures, documents and activation links', async () => {
  const { body } = await server.request(getConfig)
  expect(body).toEqual({
    instrKeyFrontend: '',
    photoURL: '/photos/',
    thumbnailURL: '/thumbnails/',
    contentURL: '/content/',
    externalSurcharge: 15,
    accountConfirmationLink: 'https://sport.example.com/activate/',
    timeZone: 'Europe/Berlin',
  })
})

test('the server time is wall-clock time of the portal', async () => {
  const { body } = await server.request(getDateTime)
  const { year, month, day, hour, minute, second } = body
  const { now } = await server.db.one<{ now: Date }>(sql`select clock_timestamp() as now`)
  const berlin = new Date(now.toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' }).replace(' ', 'T')).getTime()
  expect(Math.abs(new Date(year, month - 1, day, hour, minute, second).getTime() - berlin)).toBeLessThan(5_000)
})

test('health is Ok while the database responds', async () => {
  expect(await server.request(getHealth)).toMatchObject({ status: 200, body: { status: 'Ok' } })
})

test('signed-in calls from an origin other than PUBLIC_URL cause a warning in health, in the office and, once, in the log', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { token } = await insertUserWithSession(server.db)
  const officer = await insertOfficer(server, ['bookings'])
  const openPortal = () => {
    const { app } = createApp({ ...server.context, log: pino(stream) })
    const call = (Origin: string, SessionToken = token) =>
      app.request(reportClientError.path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Cookie: 'XSRF-TOKEN=a',
          'X-XSRF-TOKEN': 'a',
          Origin,
          SessionToken,
        },
        body: JSON.stringify({ message: 'x' }),
      })
    const warnings = async () => v.parse(getHealth.response, await (await app.request(getHealth.path)).json()).warnings
    const today = async () => (await app.request(getToday.path, { headers: { SessionToken: officer.token } })).json()
    return { call, warnings, today }
  }
  const right = openPortal()
  for (const origin of ['https://sport.example.com', ...Array(5).fill('https://10.0.0.5')]) await right.call(origin)
  const unsigned = openPortal()
  for (let call = 0; call < 5; call++) await unsigned.call('https://attacker.example', '')
  const local = openPortal()
  for (let call = 0; call < 5; call++) await local.call('http://localhost:8080')
  for (const { warnings } of [right, unsigned, local]) expect(await warnings()).toBeUndefined()

  const wrong = openPortal()
  for (let call = 0; call < 5; call++) await wrong.call('https://kurse.example.com')
  expect(await wrong.warnings()).toEqual(['publicUrl'])
  expect(await wrong.today()).toMatchObject({ wrongAddress: 'https://sport.example.com' })
  expect(await right.today()).toHaveProperty('date')
  expect(await right.today()).not.toHaveProperty('wrongAddress')
  expect(lines.filter(line => line.includes('PUBLIC_URL'))).toEqual([
    expect.stringContaining('"publicUrl":"https://sport.example.com","origin":"https://kurse.example.com"'),
  ])
})

test('health is 503 if the database does not respond', async () => {
  const gone = await createTestServer()
  await gone.close()
  expect(await gone.request(getHealth)).toMatchObject({ status: 503, body: { status: 'Failed' } })
  expect(await gone.request(getReadiness)).toMatchObject({ status: 503, body: { status: 'Failed' } })
  expect(await gone.request(getLiveness)).toMatchObject({ status: 200, body: { status: 'Ok' } })
})

test('a portal is ready only with the schema of its version', async () => {
  expect(await server.request(getReadiness)).toMatchObject({ status: 200, body: { status: 'Ok' } })
  await server.db.execute(sql`update migrations set checksum = checksum || 'x' where number = 3`)
  expect(await server.request(getReadiness)).toMatchObject({ status: 503, body: { status: 'Failed' } })
  await server.db.execute(sql`update migrations set checksum = rtrim(checksum, 'x') where number = 3`)
})

test('an error of the app is logged without tokens and addresses, at most 20 in a burst', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { app } = createApp({ ...server.context, log: pino(stream) })
  const report = () =>
    app.request(reportClientError.path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'a' },
      body: JSON.stringify({
        message: `${CSP_REPORT_PREFIX} no erika@example.com`,
        route: `/activate/${'t'.repeat(43)}`,
      }),
    })
  for (let call = 0; call < 20; call++) expect((await report()).status).toBe(204)
  const refused = await report()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(lines.join('')).toContain('an error in the app')
  expect(lines.join('')).toMatch(/"level":40[^\n]*"security":"page.policy-broken"/)
  expect(lines.join('')).not.toMatch(/erika|tttt/)
})

test('an unchanged API description is 304', async () => {
  const first = await server.request(getOpenApi)
  const etag = first.headers.get('ETag') ?? ''
  expect((await server.request(getOpenApi, { headers: { 'If-None-Match': etag } })).status).toBe(304)
})

test('the site map lists the public routes and the visible courses, and robots.txt names it', async () => {
  const hidden = await insertSeason(server.db, { viewableFrom: '2999-01-01' })
  const course = await insertCourse(server.db)
  const later = await insertCourse(server.db, { seasonId: hidden.id })

  const sitemap = await (await server.app.request('/sitemap.xml')).text()
  expect(sitemap).toContain('<loc>https://sport.example.com/courses</loc>')
  expect(sitemap).toContain(`<loc>https://sport.example.com/course-details/${course.id}</loc>`)
  expect(sitemap).not.toContain(`course-details/${later.id}<`)
  expect(sitemap, 'who the instructors are is not for search engines').not.toContain('/instructor')
  expect(await (await server.app.request('/robots.txt')).text()).toContain(
    'Sitemap: https://sport.example.com/sitemap.xml',
  )
})

test('an invalid value is rejected with the field', async () => {
  const answer = await server.request(reportClientError, { body: { message: 'x'.repeat(2001) } })
  expect(answer).toMatchObject({ status: 400 })
  expect(v.is(v.object({ message: v.pipe(v.string(), v.includes('message')) }), answer.body)).toBe(true)
})

test('well-known URLs lead to the change of password and the security contact', async () => {
  const change = await server.app.request('/.well-known/change-password')
  expect([change.status, change.headers.get('Location')]).toEqual([302, '/password-change'])
  const answer = await server.app.request('/.well-known/security.txt')
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain/)
  const lines = (await answer.text()).trim().split('\n')
  const fields = Object.fromEntries(lines.map(line => line.split(/: (.*)/)))
  expect(fields).toMatchObject({
    Contact: 'mailto:werksport@demo.example',
    'Preferred-Languages': 'de, en',
    Canonical: 'https://sport.example.com/.well-known/security.txt',
  })
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(100)
  expect(days).toBeLessThan(366)
})

test('the API documentation is a page that executes and loads nothing', async () => {
  const { status, headers, body } = await server.request(getDocs)
  expect(status).toBe(200)
  expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8')
  expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/)
  expect(new TextDecoder().decode(body)).toContain('id="bookCourse"')
})

describe('error reports', () => {
  test.each([
    ['/activate/Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy', '/activate/…'],
    ['/courses?text=Erika%20Muster', '/courses'],
    ['no user erika.muster@example.com here', 'no user … here'],
    [
      'at load (https://sport.example/assets/index-BHS.js?v=1:3:5)',
      'at load (https://sport.example/assets/index-BHS.js)',
    ],
    ['x is not a function', 'x is not a function'],
    ['Sommer-Wind-2026', '…'],
    ['Elefant! of A123456789', '… of …'],
    ['DE89 3704 0044 0532 0130 00', '… … … … … 00'],
    ['/activate/zvbzxcvbnmasdfghjklqwert', '/activate/…'],
    ['/course-details/17', '/course-details/17'],
    [
      'load@https://sport.example/assets/index-B2HS.js:3:51234',
      'load@https://sport.example/assets/index-B2HS.js:3:51234',
    ],
    [
      "Cannot read properties of undefined (reading 'courseDateId')",
      "Cannot read properties of undefined (reading 'courseDateId')",
    ],
    [
      '…"password":"Blauer Elefant9","keepSession"… is not valid JSON',
      '…"password":…,"keepSession"… is not valid JSON',
    ],
    ['confirmPassword=Elefant.9 is wrong', 'confirmPassword=… is wrong'],
    ['the password is missing', 'the password is missing'],
  ])('%s is logged as %s', (reported, logged) => {
    expect(redactPersonalData(reported, 500)).toBe(logged)
  })

  test('a long report is truncated', () => {
    expect(redactPersonalData('word '.repeat(1000), 2000)).toHaveLength(2000)
  })
})
