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
