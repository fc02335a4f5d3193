import { beforeEach, expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { hashFileContent, insertFileContent } from './repository.ts'
import { createFileCache } from './service.ts'

const { db } = await openTestDatabase()

const hashOf = (content: string) => hashFileContent(Buffer.from(content)).toString('hex')
const refOf = (content: string) => ({ name: 'a.webp', mediaType: 'image/webp', hash: hashOf(content) })
/** Changes the stored content, so that a read from the database is distinguishable from the cache. */
const markSent = (content: string) =>
  db.execute(sql`update file_contents set content = '\\x73656e74' where sha256 = decode(${hashOf(content)}, 'hex')`)

beforeEach(async () => {
  await db.execute(sql`delete from file_contents`)
  for (const content of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
    await insertFileContent(db, 'image/webp', Buffer.from(content))
})

test('content is read from the database once, whatever its name', async () => {
  const read = createFileCache(db)
  expect((await read(refOf('aaaaaaaa'), []))?.content?.toString()).toBe('aaaaaaaa')
  await markSent('aaaaaaaa')
  const again = await read({ ...refOf('aaaaaaaa'), name: 'b.webp' }, [])
  expect(again).toMatchObject({ name: 'b.webp', content: Buffer.from('aaaaaaaa') })
  expect(await read(refOf('unknown'), [])).toBeNull()
})

test('content with a matching hash is not returned again, whether it is cached or not', async () => {
  const read = createFileCache(db)
  for (let round = 0; round < 2; round += 1) {
    expect((await read(refOf('aaaaaaaa'), [hashOf('aaaaaaaa')]))?.content).toBeNull()
    expect((await read(refOf('aaaaaaaa'), ['other']))?.content?.toString()).toBe('aaaaaaaa')
  }
})

test('the least recently used file is evicted', async () => {
  const read = createFileCache(db, 20)
  const ask = async (content: string) => (await read(refOf(content), []))?.content?.toString()
  const [a, b, c] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'] as const
  for (const content of [a, b, a, c]) await ask(content)
  for (const content of [a, b, c]) await markSent(content)
  expect([await ask(a), await ask(c), await ask(b)]).toEqual([a, c, 'sent'])
})
