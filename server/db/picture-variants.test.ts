import { createHash, randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { type Queryable, sql } from './client.ts'
import { findPictureVariant } from './picture-variants.ts'
import { createTestDatabase } from './test-database.ts'

const { db, close } = await createTestDatabase()
afterAll(close)
beforeEach(() => db.execute(sql`truncate files cascade`))

/** Noise, which no format makes small. */
const photo = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer()
const store = (name: string, mediaType: string, content: Buffer) =>
  db.execute(sql`
    insert into files (kind, name, media_type, sha256, content)
    values ('content', ${name}, ${mediaType}, ${createHash('sha256').update(content).digest()}, ${content})
    on conflict (kind, name) do update set sha256 = excluded.sha256, content = excluded.content`)
const find = (name: string, width: 320 | 640 | 960 | 1280, known: string[] = [], from: Queryable = db) =>
  findPictureVariant(from, 'content', name, width, known)
const sizeOf = async (content: Buffer | null | undefined) => {
  const { format, width, height } = await sharp(content ?? undefined).metadata()
  return { format, width, height }
}

test('a picture comes in the width that is asked for, known by a hash of its own', async () => {
  await store('halle.jpg', 'image/jpeg', await photo(1400, 700))
  const small = await find('halle.jpg', 320)
  expect(small).toMatchObject({ name: 'halle.webp', mediaType: 'image/webp' })
  expect(await sizeOf(small?.content)).toEqual({ format: 'webp', width: 320, height: 160 })
  const large = await find('halle.jpg', 960)
  expect(await sizeOf(large?.content)).toMatchObject({ width: 960 })
  expect(large?.hash).not.toBe(small?.hash)
  expect(await find('halle.jpg', 320, [small?.hash ?? ''])).toMatchObject({ hash: small?.hash, content: null })
})

test('each width is made once, however many ask at the same time, and once more when the picture has changed', async () => {
  await store('halle.jpg', 'image/jpeg', await photo(800, 800))
  const execute = vi.fn(db.execute)
  const counted: Queryable = { ...db, execute }
  const all = await Promise.all(Array.from({ length: 20 }, () => find('halle.jpg', 320, [], counted)))
  expect(new Set(all.map(file => file?.content?.toString('base64'))).size).toBe(1)
  await find('halle.jpg', 320, [], counted)
  expect(execute).toHaveBeenCalledTimes(1)

  await store('halle.jpg', 'image/jpeg', await photo(800, 400))
  expect(await sizeOf((await find('halle.jpg', 320, [], counted))?.content)).toMatchObject({ height: 160 })
  expect(execute).toHaveBeenCalledTimes(2)
  expect(await db.query(sql`select name, width from picture_variants`)).toEqual([{ name: 'halle.jpg', width: 320 }])
})

test.each([
  ['a drawing', 'portrait.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a document', 'plan.pdf', 'application/pdf', Buffer.from('%PDF-1.7')],
  ['what is no picture after all', 'kaputt.png', 'image/png', Buffer.from('no picture')],
  [
    'a picture that is small already',
    'klein.webp',
    'image/webp',
    await sharp(await photo(60, 60))
      .webp({ quality: 50 })
      .toBuffer(),
  ],
])('%s comes as it is', async (_, name, mediaType, content) => {
  await store(name, mediaType, content)
  for (let round = 0; round < 2; round += 1) {
    expect(await find(name, 640)).toMatchObject({ name, mediaType, content })
  }
})

test('nothing is kept of a picture that is gone', async () => {
  await store('halle.jpg', 'image/jpeg', await photo(800, 800))
  await find('halle.jpg', 320)
  await db.execute(sql`delete from files`)
  expect(await find('halle.jpg', 320)).toBeNull()
  expect(await db.query(sql`select from picture_variants`)).toEqual([])
})
