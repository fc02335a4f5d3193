import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { createWorld } from '../../server/test/samples.ts'
import { openTestServer } from '../../server/test/server.ts'
import { isInstalled, run } from './programs.ts'

const server = await openTestServer()
const world = await createWorld(server.db)
const folder = await mkdtemp(join(tmpdir(), 'pdf-'))
afterAll(() => rm(folder, { recursive: true }))

/** Sent by people, or stored earlier. */
const OF_PEOPLE = ['getProofFile', 'getInboxFile', 'getInvoicePdf']
const made = Object.entries<Endpoint>(endpoints).filter(
  ([name, { response }]) =>
    response !== null && 'file' in response && response.file === 'application/pdf' && !OF_PEOPLE.includes(name),
)

test('there are PDF files', () => expect(made.map(([name]) => name)).toContain('getParticipantList'))

test.skipIf(!isInstalled('qpdf')).each(made)('qpdf finds no error in %s', async (name, endpoint) => {
  const { token } = world.callerOf(endpoint)
  const { status, body } = await server.request(endpoint, { ...world.samples[name], token } as object)
  expect(status).toBe(200)
  const path = join(folder, `${name}.pdf`)
  await writeFile(path, body as Uint8Array)
  const checked = run('qpdf', ['--check', path])
  expect(checked.status, checked.output).toBe(0)
})
