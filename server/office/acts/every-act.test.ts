import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { beforeAll, describe, expect, test } from 'vitest'
import { ACTS, type ActKind, effectsOf, rightsForAct, type SentAct } from '#contract/acts/acts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { type ActResponse, performAct } from '#contract/office/office.ts'
import { entriesOf } from '#contract/records.ts'
import { RIGHTS } from '#contract/values.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { prepareAct } from '#server/test/act-samples.ts'
import { insertInstructorWithSession, insertRow, insertUserWithSession } from '#server/test/factories.ts'
import { insertOfficer, openTestOffice, type TestAct } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(RIGHTS)

type Line = { number: number; kind: string; actor: number; counts: Record<string, number>; written: number }
/** Entries of the audit log, each with the total number of messages in the database. */
const readRecord = () =>
  server.db.query<Line>(sql`
    select number, kind, actor_id as actor, line::jsonb -> 'counts' as counts,
      (select count(*) from inbox_items) + (select count(*) from mails) + (select count(*) from letters) as written
    from office_record order by number`)

/** Removes ids, because a preview and its action create different ones. */
const unnumbered = (consequences: ActResponse['consequences']): unknown =>
  JSON.parse(JSON.stringify(consequences, (key, value) => (key === 'id' ? undefined : value)))

const kinds = Object.keys(ACTS) as ActKind[]

describe.each(kinds)('%s', kind => {
  test('has the effects of its preview, notifies the people it names, and writes one audit log entry', async () => {
    const sample = await prepareAct(server, kind, office.act)
    const before = await readRecord()
    const preview = await office.act({ ...sample.act, preview: true })
    const answer = await office.act(sample.act)
    expect(unnumbered(preview.consequences)).toEqual(unnumbered(answer.consequences))
    // A preview changes nothing and therefore returns no id, version or entry.
    expect(preview).toMatchObject({ status: 'Ok', recordId: null, version: null })
    expect(preview.message).not.toBe(answer.message)
    expect(Object.keys(preview.result).filter(key => /^id$|Ids?$/.test(key))).toEqual([])
    expect(effectsOf(kind)?.result ?? []).toEqual(expect.arrayContaining(Object.keys(answer.result)))
    expect(answer).toMatchObject({ status: 'Ok', recordId: (before.at(-1)?.number ?? 0) + 1 })
    expect(answer.consequences.told).toHaveLength(sample.told)
    const after = await readRecord()
    expect(after.slice(before.length)).toMatchObject([{ number: answer.recordId, kind, actor: office.id }])
    const { mails, letters, messages } = answer.consequences
    expect((after[0]?.written ?? 0) - (before[0]?.written ?? 0)).toBe(mails + letters + messages)
    // A new account only has its first e-mail; a merge e-mails links, which are not shown in the inbox.
    if (['create-person', 'invite-person', 'merge-people'].includes(kind))
      expect([mails, messages]).toEqual([sample.told, 0])
    else expect(messages).toBeGreaterThanOrEqual(sample.told)
    expect(after.at(-1)?.counts).toMatchObject({ mails, letters, messages, told: sample.told })
  })

  test('is rejected without a session, for participants, for instructors and with any other right', async () => {
    const sample = await prepareAct(server, kind, office.act)
    const body = { actId: randomUUID(), ...sample.act, preview: true } as SentAct
    const ask = async (token?: string) => (await server.request(performAct, { body, ...(token && { token }) })).status
    const lines = (await readRecord()).length
    const person = await insertUserWithSession(server.db)
    const instructor = await insertInstructorWithSession(server.db)
    expect([await ask(), await ask(person.token), await ask(instructor.token)]).toEqual([401, 403, 403])
    const right = rightsForAct(body) ?? []
    for (const one of RIGHTS) {
      const officer = await insertOfficer(server, [one])
      expect([one, await ask(officer.token)]).toEqual([one, right.includes(one) ? 200 : 403])
    }
    expect(await readRecord()).toHaveLength(lines)
  })
})

const withPeople = kinds.filter(
  kind => !ACTS[kind].effects.acceptsDeleted && (ACTS[kind].effects.people ?? []).length > 0,
)

test.each(withPeople)('%s fails on a person whose account is merged into another', async kind => {
  const { act } = await prepareAct(server, kind, office.act)
  const merged = await insertUserWithSession(server.db)
  const intoWebUserId = (await insertUserWithSession(server.db)).id
  await office.act({ kind: 'merge-people', webUserId: merged.id, intoWebUserId })
  for (const one of ACTS[kind].effects.people ?? []) {
    const changed = typeof one === 'string' ? { [one]: merged.id } : { [one.field]: merged.id, [one.where]: one.is }
    const answer = await office.act({ ...act, ...changed, reason: 'Nachtrag' } as TestAct)
    expect(answer).toMatchObject({ status: 'Failed', code: 'office.failed.deleted' })
  }
})

test('the hash chain of all entries is intact', async () => {
  expect((await auditPortal(server.db)).findings.filter(line => line.startsWith('record'))).toEqual([])
})

test('people are notified urgently, in their language, of changes less than a day ahead', async () => {
  const sample = await prepareAct(server, 'cancel-lesson', office.act)
  const courseDateId = sample?.act.kind === 'cancel-lesson' ? sample.act.courseDateId : 0
  await server.db.execute(sql`
    update course_dates set held_at = date_trunc('minute', localtimestamp) + interval '3 hours' where id = ${courseDateId}`)
  await server.db.execute(sql`
    update web_users set language = 'en' where id = (
      select b.web_user_id from bookings b join course_dates d on d.course_id = b.course_id where d.id = ${courseDateId} order by b.seq limit 1)`)
  const answer = await office.actAsPreviewed({
    kind: 'cancel-lesson',
    courseDateId,
    note: 'Wasserrohrbruch',
    note2: 'A burst pipe',
  })
  const told = answer.consequences.told.map(({ id }) => id)
  const mails = await server.db.query<{
    language: 'de' | 'en'
    kind: string
    payload: Record<string, { title: string; paragraphs: string[] }>
  }>(sql`
    select language, kind, payload from mails where web_user_id = any(${told}::int[]) and kind like 'notice%' order by language`)
  expect(mails.map(({ language, kind }) => [language, kind])).toEqual([
    ['de', 'notice-urgent'],
    ['en', 'notice-urgent'],
  ])
  expect(mails[0]?.payload.de).toMatchObject({ title: expect.stringMatching(/^Eilig:/) })
  expect(mails[1]?.payload.en).toMatchObject({
    title: expect.stringMatching(/^Urgent:/),
    paragraphs: expect.arrayContaining(['A burst pipe']),
  })
  const inbox = await server.db.query<{ title: string }>(sql`
    select title from inbox_items where web_user_id = any(${told}::int[]) order by title`)
  expect(inbox.map(({ title }) => title.split(':')[0])).toEqual(['Eilig', 'Urgent'])
})

describe('lists of the office', () => {
  beforeAll(async () => {
    const rows = ['4711', '4712', '4713'].map(personnelNumber => ({ personnelNumber }))
    await office.act({ kind: 'save-eligible', rows })
    await office.act((await prepareAct(server, 'save-content', office.act)).act)
    await office.act({ kind: 'save-template', templateName: 'Halbe Stunde' })
    for (let number = 0; number < 2; number++) {
      const letter = {
        webUserId: office.id,
        language: 'de',
        kind: 'account-deleted',
        payload: '{"isBillingKept": false}',
      }
      await insertRow(server.db, 'letters', letter)
    }
  })
  const hasPages = ({ access, params, response }: Endpoint) =>
    access === 'office' &&
    !params &&
    response &&
    'entries' in response &&
    ['items', 'next'].every(name => name in Object(response.entries))
  const lists = entriesOf<Record<string, Endpoint>>(endpoints).filter(([, endpoint]) => hasPages(endpoint))

  test.each(lists)('%s is read in pages of the requested size', async (_name, endpoint) => {
    const { token } = await insertOfficer(server, RIGHTS)
    const read = async (query: Record<string, string>) =>
      v.parse(
        v.object({ items: v.array(v.unknown()), next: v.nullable(v.string()) }),
        (await server.request(endpoint, { token, query })).body,
      )
    const { items } = await read({ limit: '500' })
    expect(items.length).toBeGreaterThan(1)
    const limit = Math.ceil(items.length / 3)
    const found: unknown[] = []
    for (let after: string | null = ''; after !== null && found.length < items.length; ) {
      const page: { items: unknown[]; next: string | null } = await read({ limit: `${limit}`, ...(after && { after }) })
      expect(page.items.length).toBeLessThanOrEqual(limit)
      found.push(...page.items)
      after = page.next
    }
    expect(found.slice(0, items.length)).toEqual(items)
  })
})
