import { createHash } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sql } from './client.ts'
import { createFileCache } from './file-cache.ts'
import { createTestDatabase } from './test-database.ts'

const { db, close } = await createTestDatabase()
afterAll(close)

const hashOf = (content: string) => createHash('sha256').update(content).digest()
const store = (name: string, content: string) =>
  db.execute(sql`
    insert into files (kind, name, media_type, sha256, content)
    values ('content', ${name}, 'image/webp', ${hashOf(content)}, ${Buffer.from(content)})
    on conflict (kind, name) do update set sha256 = excluded.sha256, content = excluded.content`)
/** Changes what the database would send, but not what it says of it: seen only where the database sends it. */
const markSent = (name: string) =>
  db.execute(sql`update files set content = '\\x73656e74' where kind = 'content' and name = ${name}`)

beforeEach(async () => {
  await db.execute(sql`truncate files cascade`)
  await store('a.webp', 'aaaaaaaa')
  await store('b.webp', 'bbbbbbbb')
})

test('a file is read from the database once, and again when it has changed', async () => {
  const find = createFileCache(db)
  const read = async () => (await find('content', 'a.webp', []))?.content?.toString()
  expect(await read()).toBe('aaaaaaaa')
  await markSent('a.webp')
  expect(await read()).toBe('aaaaaaaa')
  await store('a.webp', 'new')
  expect(await read()).toBe('new')
  expect(await read()).toBe('new')
  await db.execute(sql`delete from files`)
  expect(await find('content', 'a.webp', [])).toBeNull()
})

test('a caller who knows the content gets none, whether it is kept or not', async () => {
  const find = createFileCache(db)
  const known = [hashOf('aaaaaaaa').toString('hex')]
  for (let round = 0; round < 2; round += 1) {
    expect((await find('content', 'a.webp', known))?.content).toBeNull()
    expect((await find('content', 'a.webp', ['other']))?.content?.toString()).toBe('aaaaaaaa')
  }
})

test('what was not asked for longest makes room', async () => {
  const find = createFileCache(db, 20)
  const read = async (name: string) => (await find('content', name, []))?.content?.toString()
  await store('c.webp', 'cccccccc')
  for (const name of ['a.webp', 'b.webp', 'a.webp', 'c.webp']) await read(name)
  for (const name of ['a.webp', 'b.webp', 'c.webp']) await markSent(name)
  expect([await read('a.webp'), await read('c.webp'), await read('b.webp')]).toEqual(['aaaaaaaa', 'cccccccc', 'sent'])
})
