import { chmod, mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '#server/test/database.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { describeOutdatedVersions, isOutdatedVersion } from './outdated-version-warnings.ts'

const folder = await mkdtemp(join(tmpdir(), 'old-parts-'))
afterAll(async () => {
  await stopPortals()
  await rm(folder, { recursive: true })
})

/** Creates a program that only prints its version. */
async function writeProgram(name: string, version: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, `#!/bin/sh\necho '${version}'\n`)
  await chmod(file, 0o755)
  return file
}

test.each([
  ['24.21.0', 'v24.21.1', true],
  ['24.21.0', 'v24.21.0', false],
  ['24.21.0', 'v24.9.7', false],
  ['24.21.0', 'v26.1.0', false],
  ['18.4', 'postgres (PostgreSQL) 18.5 (Debian 18.5-1.pgdg12+1)', true],
  ['18.4', 'postgres (PostgreSQL) 18.4', false],
  ['18.4', 'postgres (PostgreSQL) 19.0', false],
  ['18.4', 'no version', false],
])('version %s is older than %s: %s', (own, other, expected) => {
  expect(isOutdatedVersion(own, other)).toBe(expected)
})

test('a start reports a newer Node.js on the machine and the database that an upgrade left behind', async () => {
  const database = await createTestDatabase()
  const dataDir = join(folder, 'data')
  const [old, young] = [join(dataDir, 'postgres-17'), join(dataDir, 'postgres-16')]
  for (const kept of [old, young]) await mkdir(kept, { recursive: true })
  await utimes(old, new Date(), new Date(Date.now() - 8 * 86_400_000))
  await writeProgram('node', `v${process.versions.node.split('.')[0]}.99.1`)
  const portal = startPortal({ DATABASE_URL: database.url, DATA_DIR: dataDir, PATH: `${folder}:${process.env.PATH}` })
  expect((await fetch(`${await portal.url()}/api/health`)).status).toBe(200)
  await expect.poll(portal.output, { timeout: 10_000 }).toContain(`rm -r '${old}'`)
  expect(portal.output()).toMatch(/came with the portal, and this machine has \d+\.99\.1, .*update the portal/)
  expect(portal.output()).toContain('8 days ago, with personal data')
  expect(portal.output()).not.toContain(young)
  await stopPortals()
  await database.close()
}, 60_000)

test('a newer PostgreSQL on the machine is reported', async () => {
  const server = await writeProgram('postgres', 'postgres (PostgreSQL) 18.9')
  const [line] = await describeOutdatedVersions('18.4', folder, [server, join(folder, 'missing')])
  expect(line).toMatch(/^PostgreSQL 18\.4 came with the portal, and this machine has 18\.9, .*npm run move/)
})
