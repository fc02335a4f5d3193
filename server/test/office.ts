import { randomUUID } from 'node:crypto'
import type { SentAct } from '#contract/acts/acts.ts'
import { type ActResponse, performAct } from '#contract/office/office.ts'
import type { Right, Scope } from '#contract/values.ts'
import type { Config } from '#server/platform/config/config.ts'
import { sql } from '#server/platform/db/client.ts'
import { createToken, hashToken } from '#server/platform/http/token.ts'
import { insertUserWithSession } from './factories.ts'
import { openTestServer, type TestServer } from './server.ts'

type Sent<A> = A extends { actId: string } ? Omit<A, 'actId'> & { actId?: string } : never
/** Action without its id, which is generated. */
export type TestAct = Sent<SentAct>

/** Inserts a member of the department with these permissions. */
export async function insertOfficer(server: TestServer, rights: readonly Right[]) {
  const person = await insertUserWithSession(server.db)
  for (const right of rights)
    await server.db.execute(sql`insert into office_rights (web_user_id, "right") values (${person.id}, ${right})`)
  return person
}

/** Opens an API client with a service token for these scopes. `send` sends actions over HTTP. */
export async function openTestProgram(server: TestServer, scopes: readonly Scope[]) {
  const token = createToken()
  const { id } = await server.db.one<{ id: number }>(sql`
    insert into service_tokens (name, token_hash, scopes, expires_at)
    values (${`Programm ${scopes.join(' ')}`}, ${hashToken(token)}, ${[...scopes]}::text[], now() + interval '30 days') returning id`)
  const headers = { Authorization: `Bearer ${token}` }
  const send = (body: TestAct) =>
    server.request(performAct, { body: { actId: randomUUID(), ...body } as SentAct, headers })
  return { tokenId: id, headers, send }
}

/**
 * Opens a desk for a member of the department with these permissions. `send` sends an action over HTTP; `act` also
 * throws if it is rejected.
 */
export async function openTestDesk(server: TestServer, rights: readonly Right[]) {
  const officer = await insertOfficer(server, rights)
  const send = (body: TestAct, token = officer.token) =>
    server.request(performAct, { body: { actId: randomUUID(), ...body } as SentAct, token })
  const act = async (body: TestAct): Promise<ActResponse> => {
    const answer = await send(body)
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  /** Requests the preview first, whose result must be the same. */
  const actAsPreviewed = async (body: TestAct): Promise<ActResponse> => {
    const preview = await act({ ...body, preview: true })
    const done = await act(body)
    if (JSON.stringify(preview.consequences) !== JSON.stringify(done.consequences) || preview.status !== done.status)
      throw new Error(`previewed ${JSON.stringify(preview)}, done ${JSON.stringify(done)}`)
    return done
  }
  return { ...officer, send, act, actAsPreviewed }
}

/** Opens the server of a test file and a desk with these permissions. */
export async function openTestOffice(rights: readonly Right[], config?: Partial<Config>) {
  const server = await openTestServer(config)
  return { server, ...(await openTestDesk(server, rights)) }
}
