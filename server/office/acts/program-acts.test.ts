import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ACTS, type ActKind, rightsForAct, scopesForAct } from '#contract/acts/acts.ts'
import { listRecord } from '#contract/office/office.ts'
import { keysOf } from '#contract/records.ts'
import { RIGHTS, RIGHTS_OF_SCOPE, SCOPES, type Scope } from '#contract/values.ts'
import { sql } from '#server/platform/db/client.ts'
import { prepareAct } from '#server/test/act-samples.ts'
import { openTestOffice, openTestProgram } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(RIGHTS)

/** Scopes that permit actions. */
const ACT_SCOPES: readonly Scope[] = ['programme', 'bookings']
/** Actions that API clients cannot perform despite these scopes. */
const PERSONAL: readonly ActKind[] = ['invite-person']

const countLines = async () =>
  (await server.db.one<{ count: number }>(sql`select count(*)::int as count from office_record`)).count

describe.each(keysOf(ACTS))('%s', kind => {
  test.each(SCOPES)('with the scope %s', async scope => {
    const sample = await prepareAct(server, kind, office.act)
    const program = await openTestProgram(server, [scope])
    const rights = rightsForAct({ actId: randomUUID(), ...sample.act }) ?? []
    const isCovered = ACT_SCOPES.includes(scope) && RIGHTS_OF_SCOPE[scope].some(right => rights.includes(right))
    const lines = await countLines()
    const preview = await program.send({ ...sample.act, preview: true })
    const actId = randomUUID()
    const answer = await program.send({ ...sample.act, actId })
    expect(scopesForAct(kind).includes(scope)).toBe(answer.status === 200)
    if (!isCovered || PERSONAL.includes(kind)) {
      expect([preview.status, answer.status]).toEqual([403, 403])
      expect(answer.body).toMatchObject({ code: isCovered ? 'request.notByToken' : 'insufficient_scope' })
      expect(await countLines()).toBe(lines)
      return
    }
    expect(answer).toMatchObject({ status: 200, body: { status: 'Ok' } })
    expect(preview.body.consequences).toMatchObject({
      mails: answer.body.consequences.mails,
      messages: answer.body.consequences.messages,
    })
    const { items } = (await server.request(listRecord, { token: office.token })).body
    const { tokenId } = program
    expect(items[0]).toMatchObject({ kind, actorId: null, program: `Programm ${scope}`, line: { tokenId } })
    const again = await program.send({ ...sample.act, actId })
    expect(again.body.recordId).toBe(answer.body.recordId)
    expect(await countLines()).toBe(lines + 1)
    const other = await openTestProgram(server, [scope])
    for (const { send } of [other, office]) expect((await send({ ...sample.act, actId })).status).toBe(409)
  })
})
