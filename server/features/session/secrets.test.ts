import { expect, test } from 'vitest'
import { confirmAccount, deleteAccount, register } from '#contract/endpoints/accounts.ts'
import { changePassword, checkSession, login, logout, resetPassword } from '#contract/endpoints/session.ts'
import { createApp } from '#server/app.ts'
import { sql } from '#server/platform/db/client.ts'
import { createLog } from '#server/platform/observability/log.ts'
import { insertWebUser } from '#server/test/factories.ts'
import { sendMails } from '#server/test/sent-mails.ts'
import { openTestServer } from '#server/test/server.ts'
import { hashPassword } from './passwords.ts'

const lines: string[] = []
const server = await openTestServer()
const log = createLog('debug', { write: line => void lines.push(line) })
const { app } = createApp({ ...server.context, log })

const OLD = 'Kaffee-Tasse-77'
const NEW = 'Blauer.Elefant9'
const secrets = [OLD, NEW, 'Falsch-12345']

const send = async (method: string, path: string, body?: object, token = '') =>
  app.request(path, {
    method,
    headers: {
      Cookie: 'XSRF-TOKEN=test',
      'X-XSRF-TOKEN': 'test',
      'Content-Type': 'application/json',
      ...(token && { SessionToken: token }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

const mailed = async () => (await sendMails(server.db)).flatMap(({ payload }) => Object.values<string>(payload))

/** Sends and receives every secret of a person that permits a login. */
async function useEverySecret(): Promise<void> {
  const { email } = await insertWebUser(server.db, { passwordHash: await hashPassword(OLD) })
  const credentials = { userName: email, password: OLD }
  await send('PUT', login.path, { ...credentials, password: 'Falsch-12345' })
  const { id: token } = (await (await send('PUT', login.path, credentials)).json()) as { id: string }
  secrets.push(token)
  await send('GET', `${checkSession.path}?sessionToken=${token}`)
  await send('PUT', resetPassword.path, { userName: email })
  await sendMails(server.db)
  await send('PUT', changePassword.path, { password: NEW, confirmPassword: NEW }, token)
  const external = { formOfAddress: 'Frau', givenName: 'Kim', familyName: 'Muster', employeeStatus: 2, billingType: 3 }
  const rest = { street: 'Weg 1', zip: '1', city: 'Salzstadt', yearOfBirth: 1980, email: 'neu@demo.example' }
  await send('PUT', register.path, { ...external, ...rest, password: NEW, confirmPassword: NEW })
  secrets.push(...(await mailed()))
  for (const secret of await mailed()) await send('POST', confirmAccount.path, { token: secret })
  await send('PUT', login.path, { ...credentials, password: 12 })
  await send('DELETE', deleteAccount.path, { password: 'Falsch-12345' }, token)
  await send('DELETE', logout.path, undefined, token)
}

test('tokens and passwords are neither logged, even if the database fails, nor stored in plain text', async () => {
  await useEverySecret()
  expect(secrets.length).toBeGreaterThan(5)
  const stored = JSON.stringify(
    await server.db.query(sql`
      select to_jsonb(t) from (select * from web_users) t union all select to_jsonb(t) from (select * from sessions) t
      union all select to_jsonb(t) from (select * from account_tokens) t
      union all select to_jsonb(t) from (select * from throttle_events) t
      union all select to_jsonb(t) from (select * from mails) t`),
  )
  for (const secret of secrets) expect(stored).not.toContain(secret)

  await server.db.execute(sql`alter table sessions rename to lost_sessions`)
  await server.db.execute(sql`alter table throttle_events rename to lost_events`)
  const [token = '', password = ''] = [secrets[3], secrets[0]]
  expect((await send('GET', `${checkSession.path}?sessionToken=${token}`)).status).toBe(500)
  expect((await send('PUT', login.path, { userName: 'kim@demo.example', password })).status).toBe(500)
  expect((await send('DELETE', logout.path, undefined, token)).status).toBe(500)
  expect(lines.length).toBeGreaterThanOrEqual(3)
  for (const secret of secrets) expect(lines.join()).not.toContain(secret)
})
