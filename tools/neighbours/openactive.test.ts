import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { validate } from '@openactive/data-model-validator'
import { afterAll, expect, test } from 'vitest'
import { openActiveActivities } from '../../server/features/feeds/rules.ts'
import { importProgramme } from '../../server/features/programme/import-programme.ts'
import { findFreePort } from '../../server/test/free-port.ts'
import { openTestServer } from '../../server/test/server.ts'

type Walked = { errors: { severity: string; type: string; message: string }[] }
type Page = { items: { id: string; data?: Record<string, unknown> }[]; next: string }

const port = await findFreePort()
const url = `http://127.0.0.1:${port}`
const server = await openTestServer({ publicUrl: url })
await importProgramme(server.db, { folder: join(import.meta.dirname, '../../demo'), region: 'DE-NI' })
const listening = serve({ fetch: server.app.fetch, hostname: '127.0.0.1', port })
const folder = await mkdtemp(join(tmpdir(), 'openactive-'))
afterAll(async () => {
  listening.close()
  await rm(folder, { recursive: true })
})

/** The list of activities that the validator would fetch. */
async function cacheActivities(): Promise<void> {
  const address = 'https://openactive.io/activity-list'
  const concept = openActiveActivities.map(([prefLabel, identifier]) => ({
    id: `${address}#${identifier}`,
    identifier,
    prefLabel,
    type: 'Concept',
  }))
  const fetched = {
    errorCode: 'error_none',
    data: { '@context': 'https://openactive.io/', id: address, type: 'ConceptScheme', concept },
    statusCode: 200,
    url: address,
    exception: null,
    contentType: 'application/json',
    fetchTime: Date.now(),
  }
  const name = createHash('sha256').update(address).digest('hex')
  await writeFile(join(folder, `${name}.json`), JSON.stringify(fetched))
}

test('the data model validator finds no failure in any course of the demo data', async () => {
  await cacheActivities()
  const options = { loadRemoteJson: true, remoteJsonCachePath: folder, remoteJsonCacheTimeToLive: 3_600 }
  const items: Page['items'] = []
  for (let next = `${url}/api/public/openactive`; ; ) {
    const page = (await (await fetch(next)).json()) as Page
    if (page.items.length === 0) break
    items.push(...page.items)
    next = page.next
  }
  const failures: string[] = []
  for (const { id, data } of items) {
    const findings = await validate(data, options)
    // The portal does not store all that is recommended.
    for (const { severity, path, message } of findings)
      if (severity === 'failure' || (severity === 'warning' && !message.startsWith('Recommended property')))
        failures.push(`${id} ${path}: ${message}`)
  }
  expect(items.length).toBeGreaterThan(50)
  expect(failures).toEqual([])
})

test('the RPDE validator reads the whole feed without an error', async () => {
  const { RpdeValidator } = createRequire(import.meta.url)('@openactive/rpde-validator')
  const { pages } = await RpdeValidator(`${url}/api/public/openactive`, {
    logCallback: () => undefined,
    requestDelayMs: 0,
  })
  const errors = (pages as Walked[]).flatMap(page => page.errors.filter(({ severity }) => severity === 'failure'))
  expect(pages.length).toBeGreaterThan(1)
  expect(errors).toEqual([])
})
