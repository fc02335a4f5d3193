import { expect, test } from 'vitest'
import { getOwnInvoice } from '#contract/endpoints/money.ts'
import { getGateTable, readOfficeTable, writeOfficeTable } from '#contract/office/people.ts'
import { insertUserWithSession } from '#server/test/factories.ts'
import { openTestOffice } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['bookings', 'programme'])

test('texts that PostgreSQL cannot store are rejected with the name of their field, in path, query, body and file', async () => {
  const { token } = office
  const person = await insertUserWithSession(server.db)
  const answers = [
    await server.request(getOwnInvoice, { token: person.token, params: { file: '\0.pdf' }, language: 'en' }),
    await server.request(getGateTable, { token, query: { site: 'Werk\0' }, language: 'en' }),
    await server.request(writeOfficeTable, { token, body: { name: 'a', rows: [['b', 'c\ud800']] }, language: 'en' }),
    await server.request(readOfficeTable, { token, file: new File(['a'], 'a\0.xlsx'), language: 'en' }),
  ]
  for (const [index, field] of ['file', 'site', 'rows.0.1', 'file'].entries())
    expect(answers[index]).toMatchObject({
      status: 400,
      body: { status: 'Failed', message: `The value in the field “${field}” is not valid.` },
    })
})

test('a deeply nested body is rejected at once', async () => {
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const send = async (clientExtensionResults: string) => {
    const response = '{"clientDataJSON":"a","authenticatorData":"a","signature":"a"}'
    const body = `{"id":"a","rawId":"a","type":"public-key","response":${response},"clientExtensionResults":{"x":${clientExtensionResults}}}`
    const headers = { 'Content-Type': 'application/json', Cookie: 'XSRF-TOKEN=a', 'X-XSRF-TOKEN': 'a' }
    return (await server.app.request('/api/session/passkey', { method: 'POST', headers, body })).status
  }
  expect([await send(deep(10)), await send(deep(40_000))]).toEqual([200, 400])
})
