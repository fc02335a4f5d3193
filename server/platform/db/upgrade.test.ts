// @module-tag extended
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cleanStoredPictures } from '#server/operations/schedule.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { startPortal, stopPortals } from '#server/test/portal.ts'
import { sql } from './client.ts'
import { findNewestMigration, migrate, migrationsFolder } from './migrate.ts'

/** The migrations of version 1.2.0. */
const FIRST = 3

let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await createTestDatabase()
  await database.db.execute(sql`drop schema public cascade; create schema public`)
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  const names = (await readdir(migrationsFolder)).sort().slice(0, FIRST)
  for (const name of names) await cp(join(migrationsFolder, name), join(folder, name))
  await migrate(database.db, folder)
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

const sha256 = (content: Buffer) => createHash('sha256').update(content).digest()
const insertFile = (kind: string, name: string, mediaType: string, content: Buffer, hash = sha256(content)) =>
  database.db.execute(sql`
    insert into files (kind, name, media_type, sha256, content) values (${kind}, ${name}, ${mediaType}, ${hash}, ${content})`)

test('a database of version 1.2.0 keeps its data, and its pictures lose their metadata', async () => {
  const { db } = database
  const photo = await sharp({ create: { width: 60, height: 30, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Artist: 'CANARY' } })
    .jpeg()
    .toBuffer()
  const thumbnail = await sharp(photo).webp().toBuffer()
  const pdf = Buffer.from('%PDF-1.7 certificate')
  await insertFile('photo', 'a.jpg', 'image/jpeg', photo)
  await insertFile(
    'thumbnail',
    'a.jpg',
    'image/webp',
    thumbnail,
    sha256(Buffer.concat([photo, Buffer.from('webp 480 q72')])),
  )
  await insertFile('content', 'flyer.jpg', 'image/jpeg', photo)
  await insertFile('content', 'forgotten.pdf', 'application/pdf', Buffer.from('%PDF-1.7 of nobody'))
  await insertFile('document', 'bescheinigung.pdf', 'application/pdf', pdf)
  await db.execute(sql`
    insert into picture_variants values ('content', 'flyer.jpg', 640, ${sha256(photo)}, null);`)
  await db.execute(sql`insert into albums (id, name, thumbnail_file_name) values (1, 'Fest', 'a.jpg')`)
  await db.execute(sql`insert into photos (album_id, file_name) values (1, 'a.jpg')`)
  await db.execute(sql`
    insert into content_items (content_type, sort_order, picture_file_name, file_name) values ('Flyer', 1, 'flyer.jpg', 'missing.pdf')`)
  await db.execute(sql`insert into web_users (email) values ('rita@demo.example')`)
  await db.execute(sql`
    insert into inbox_items (web_user_id, title, document_name) select id, 'Bescheinigung', 'bescheinigung.pdf' from web_users`)

  await migrate(db)
  const shown = () =>
    db.one<Record<string, Buffer | null>>(sql`
      select document_sha256 as document, photo_sha256 as photo, p.thumbnail_sha256 as small, a.thumbnail_sha256 as cover,
        picture_sha256 as picture, file_sha256 as file
      from inbox_items, photos p, albums a, content_items`)
  expect(await shown()).toEqual({
    document: sha256(pdf),
    photo: sha256(photo),
    small: sha256(thumbnail),
    cover: sha256(thumbnail),
    picture: sha256(photo),
    file: null,
  })
  expect(await db.query(sql`select from file_contents`)).toHaveLength(3)
  expect(await db.query(sql`select recipe from file_sources order by 1`)).toEqual([
    { recipe: 'picture' },
    { recipe: 'webp 480 q72' },
  ])

  expect(await cleanStoredPictures(db, pino({ level: 'silent' }), new AbortController().signal)).toBe(1)
  const after = await shown()
  expect(after).toMatchObject({ document: sha256(pdf), small: sha256(thumbnail), picture: after.photo })
  const contents = await db.query<{ content: Buffer }>(sql`select content from file_contents`)
  expect(contents).toHaveLength(3)
  expect(Buffer.concat(contents.map(({ content }) => content)).includes('CANARY')).toBe(false)
})

test('finds the newest migration before and after an upgrade, and none in an empty database', async () => {
  const { db } = database
  expect(await findNewestMigration(db)).toBe(FIRST)
  await migrate(db)
  expect(await findNewestMigration(db)).toBeGreaterThan(FIRST)
  await db.execute(sql`drop schema public cascade; create schema public`)
  expect(await findNewestMigration(db)).toBeNull()
})

test('the start of a newer version reports both migrations and how to go back', async () => {
  const portal = startPortal({ DATABASE_URL: database.url, OFFICE_PASSKEY: 'off' })
  await portal.url()
  const { newest } = await database.db.one<{ newest: number }>(sql`select max(number)::int as newest from migrations`)
  expect(portal.output()).toMatch(
    new RegExp(`upgrade to \\S+: database ${FIRST} → ${newest} in [\\d.]+ s\\. .*restore a backup`),
  )
  await stopPortals()
})
