import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Queryable, sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { findPictureVariant } from './picture-repository.ts'
import { type FileReference, insertFileContent } from './repository.ts'

const { db } = await openTestDatabase()
beforeEach(() => db.execute(sql`delete from file_contents`))

/** Noise, which no format makes small. */
const photo = (width: number, height: number) =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer()
const store = async (name: string, mediaType: string, content: Buffer): Promise<FileReference> => {
  const sha256 = await insertFileContent(db, mediaType, content)
  return { name, mediaType, hash: sha256.toString('hex') }
}
const find = (ref: FileReference, width: 320 | 640 | 960 | 1280, from: Queryable = db) =>
  findPictureVariant(from, ref, width)
const sizeOf = async (content: Buffer | null | undefined) => {
  const { format, width, height } = await sharp(content ?? undefined).metadata()
  return { format, width, height }
}

test('a picture is returned in the requested width, with its own hash', async () => {
  const picture = await store('halle.jpg', 'image/jpeg', await photo(1400, 700))
  const small = await find(picture, 320)
  expect(small).toMatchObject({ mediaType: 'image/webp', hash: `${picture.hash}-320` })
  expect(await sizeOf(small?.content)).toEqual({ format: 'webp', width: 320, height: 160 })
  const large = await find(picture, 960)
  expect(await sizeOf(large?.content)).toMatchObject({ width: 960 })
  expect(large?.hash).not.toBe(small?.hash)
})

test('each width is created once for concurrent requests', async () => {
  const picture = await store('halle.jpg', 'image/jpeg', await photo(800, 800))
  const execute = vi.fn(db.execute)
  const counted: Queryable = { ...db, execute }
  const all = await Promise.all(Array.from({ length: 20 }, () => find(picture, 320, counted)))
  expect(new Set(all.map(file => file?.content.toString('base64'))).size).toBe(1)
  await find(picture, 320, counted)
  expect(execute).toHaveBeenCalledTimes(1)
})

test.each([
  ['an SVG', 'portrait.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['a document', 'plan.pdf', 'application/pdf', Buffer.from('%PDF-1.7')],
  ['a file that is not a picture', 'kaputt.png', 'image/png', Buffer.from('no picture')],
  [
    'a picture that is already small',
    'klein.webp',
    'image/webp',
    await sharp(await photo(60, 60))
      .webp({ quality: 50 })
      .toBuffer(),
  ],
])('no variant is created for %s', async (_, name, mediaType, content) => {
  const ref = await store(name, mediaType, content)
  for (let round = 0; round < 2; round += 1) expect(await find(ref, 640)).toBeNull()
})

test('variants of a deleted picture are deleted', async () => {
  const picture = await store('halle.jpg', 'image/jpeg', await photo(800, 800))
  await find(picture, 320)
  await db.execute(sql`delete from file_contents`)
  expect(await find(picture, 320)).toBeNull()
  expect(await db.query(sql`select from picture_variants`)).toEqual([])
})
