// @module-tag extended
import { spawn } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { open, readPostmasterPid, startChild, testFolders } from '#server/test/cluster.ts'

const { make, remove } = testFolders()
afterAll(remove)

test('a crash during the first start leaves no incomplete cluster', async () => {
  const folder = await make()
  const child = startChild(folder, 'portal')
  const hasDraft = async () =>
    (await readdir(folder, { recursive: true })).some(name => /^postgres\.new-.*\/base/.test(name))
  await expect.poll(() => hasDraft().catch(() => false), { interval: 5 }).toBe(true)
  await child.kill()
  expect(await readdir(folder)).toEqual([expect.stringContaining('postgres.new-')])
  const startAndList = async () => {
    const embedded = await open(folder)
    await embedded.stop()
    return (await readdir(folder)).sort()
  }
  // If a child of the killed process is still writing, its files are removed at a later start.
  await expect.poll(startAndList).toEqual(['postgres', 'postgres.log'])
})

test('children of a killed start that are still writing do not block the next one', async () => {
  const folder = await make()
  const draft = join(folder, 'postgres.new-999999999-abandoned')
  await mkdir(draft)
  const writer = spawn('sh', ['-c', 'while : > "$0/$((i = i + 1))"; do :; done', draft], { stdio: 'ignore' })
  const embedded = await open(folder).finally(() => writer.kill())
  await embedded.stop()
  expect(await readdir(folder)).toContain('postgres')
})

test('every acknowledged row survives kill -9 of the portal alone and of portal and server', {
  timeout: 30_000,
}, async () => {
  const folder = await make()
  let acknowledged = 0
  for (const victims of ['portal', 'portal and server', 'portal', 'server and portal']) {
    const child = startChild(folder, 'portal')
    expect(await child.firstLine()).toBe('open')
    child.send('write')
    await expect.poll(() => child.lines.length, { interval: 20 }).toBeGreaterThan(30)
    const server = await readPostmasterPid(folder)
    if (victims === 'server and portal') process.kill(server, 'SIGKILL')
    const killed = child.kill()
    if (victims === 'portal and server') process.kill(server, 'SIGKILL')
    await killed
    const ids = child.lines.slice(1).map(Number)
    acknowledged += ids.length

    const embedded = await open(folder)
    const db = openDatabase({ connection: embedded.connection, timeZone: 'UTC' })
    const lost = await db.query(
      sql`select id from unnest(${ids}::bigint[]) as acknowledged (id) except select id from writes`,
    )
    expect(lost).toEqual([])
    await db.close()
    await embedded.stop()
  }
  expect(acknowledged).toBeGreaterThan(100)
})
