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
const OF_PEOPLE = ['getProofFile', 'getInboxFile', 'getInvoicePdf', 'getOwnInvoice']
const made = Object.entries<Endpoint>(endpoints).filter(
  ([name, { response }]) =>
    response !== null && 'file' in response && response.file === 'application/pdf' && !OF_PEOPLE.includes(name),
)

test('the PDF endpoints include the participant list', () =>
  expect(made.map(([name]) => name)).toContain('getParticipantList'))

async function print(name: string, endpoint: Endpoint): Promise<string> {
  const { token } = world.callerOf(endpoint)
  const { status, body } = await server.request(endpoint, { ...world.samples[name], token } as object)
  expect(status).toBe(200)
  const path = join(folder, `${name}.pdf`)
  await writeFile(path, body as Uint8Array)
  return path
}

test.skipIf(!isInstalled('qpdf')).each(made)('qpdf finds no error in %s', async (name, endpoint) => {
  const checked = run('qpdf', ['--check', await print(name, endpoint)])
  expect(checked.status, checked.output).toBe(0)
})

/** What of PDF/UA-1 a second reader can tell: title, tags with headings and header cells, embedded fonts with Unicode. */
test.skipIf(!isInstalled('pdfinfo')).each(made)('poppler reads the structure of %s', async (name, endpoint) => {
  const path = await print(name, endpoint)
  const { output } = run('pdfinfo', [path])
  expect(output).toMatch(/^Title: +\S/m)
  expect(output).toMatch(/^Tagged: +yes$/m)
  const structure = run('pdfinfo', ['-struct-text', path]).output
  const elements = structure
    .split('\n')
    .flatMap(line => /^ *(Document|H\d?|P|Table|TR|TH|TD|Figure|Link)\b/.exec(line)?.[1] ?? [])
  expect(elements[0]).toBe('Document')
  expect(elements).toContain('H1')
  expect(elements.includes('Table')).toBe(elements.includes('TH'))
  expect(structure).not.toMatch(/Syntax (?:Error|Warning)/)
  const [, , ...fonts] = run('pdffonts', [path]).output.trim().split('\n')
  expect(fonts.length).toBeGreaterThan(0)
  for (const font of fonts) expect(font).toMatch(/ yes +(?:yes|no) +yes +\d+ +\d+$/)
})

test.skipIf(!isInstalled('gs') || !isInstalled('pdftotext')).each(made)(
  'Ghostscript keeps the text of %s when it makes PDF/A of it',
  async (name, endpoint) => {
    const path = await print(name, endpoint)
    const archived = join(folder, `${name}-archived.pdf`)
    const converted = run('gs', [
      '-q',
      '-dPDFA=2',
      '-sColorConversionStrategy=RGB',
      '-sDEVICE=pdfwrite',
      '-o',
      archived,
      path,
    ])
    expect(converted.status, converted.output).toBe(0)
    const textOf = (file: string) => run('pdftotext', [file, '-']).output
    expect(textOf(archived)).toBe(textOf(path))
  },
)
