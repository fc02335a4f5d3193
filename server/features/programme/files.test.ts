import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type Database, sql } from '#server/platform/db/client.ts'
import { buildGiantPng } from '#server/test/hostile-files.ts'
import { countsOf, dumpTables, openImport } from '#server/test/import-folder.ts'

const picture = (width: number, background: string) =>
  sharp({ create: { width, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer()
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><circle cx="450" cy="450" r="300"/></svg>'
const PDF = '%PDF-1.7\n%%EOF\n'
const ALBUMS = 'id,name,thumbnailFileName\n1,Sporttag,tag.jpg\n'
const PHOTOS = 'albumId,fileName,sortOrder\n1,tag.jpg,\n1,Größe.svg,\n'

const FOLDER = {
  'albums.csv': ALBUMS,
  'photos.csv': PHOTOS,
  'content.csv': 'contentType,pictureFileName,fileName,link\nFlyer,tag.jpg,plan.pdf,\nFlyer,,,category:3\n',
  'files/tag.jpg': await picture(1200, '#336699'),
  // as macOS writes the name
  ['files/Größe.svg'.normalize('NFD')]: SVG,
  'files/plan.pdf': PDF,
  'files/unused.exe': 'MZ',
}

const stored = (db: Database) =>
  db.query<{ file: string; media_type: string }>(sql`
    select distinct kind || '/' || name collate "C" as file, media_type from (
      select 'content' as kind, picture_file_name as name, picture_sha256 as sha256 from content_items
      union all select 'content', file_name, file_sha256 from content_items
      union all select 'thumbnail', thumbnail_file_name, thumbnail_sha256 from albums
      union all select 'photo', file_name, photo_sha256 from photos
      union all select 'thumbnail', file_name, thumbnail_sha256 from photos
    ) refs join file_contents using (sha256) order by 1`)

test('referenced pictures and documents are stored by kind, photos with thumbnails', async () => {
  const { db, run } = await openImport(FOLDER)
  const first = await run()
  expect(countsOf(first)).toMatchObject({ 'files/': { created: 6 }, 'photos.csv': { created: 2 } })
  expect(first.isDone && first.notes).toContain('Left out of files/, because no row names it: "unused.exe"')
  expect(await stored(db)).toEqual([
    { file: 'content/plan.pdf', media_type: 'application/pdf' },
    { file: 'content/tag.jpg', media_type: 'image/jpeg' },
    { file: 'photo/Größe.svg', media_type: 'image/svg+xml' },
    { file: 'photo/tag.jpg', media_type: 'image/jpeg' },
    { file: 'thumbnail/Größe.svg', media_type: 'image/webp' },
    { file: 'thumbnail/tag.jpg', media_type: 'image/webp' },
  ])
  const { content } = await db.one<{ content: Buffer }>(sql`
    select content from albums join file_contents on sha256 = thumbnail_sha256`)
  expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 480, height: 240 })
  expect(await db.query(sql`select file_name, sort_order from photos order by sort_order`)).toEqual([
    { file_name: 'tag.jpg', sort_order: 1 },
    { file_name: 'Größe.svg', sort_order: 2 },
  ])
  expect(await db.query(sql`select content_type, sort_order, link from content_items order by sort_order`)).toEqual([
    { content_type: 'Flyer', sort_order: 1, link: '' },
    { content_type: 'Flyer', sort_order: 2, link: 'category:3' },
  ])
})

test('unchanged files are not stored again, and a changed one is stored with a new thumbnail', async () => {
  const { db, folder, run } = await openImport(FOLDER)
  await run()
  const before = await dumpTables(db)
  expect(await run()).toMatchObject({ hasChanged: false })
  expect(await dumpTables(db)).toEqual(before)
  await folder.write({ 'files/tag.jpg': await picture(1000, '#993366') })
  expect(countsOf(await run())).toMatchObject({ 'files/': { updated: 3, unchanged: 3 } })
})

test('a file that the portal already has may be missing from the folder', async () => {
  const { folder, run } = await openImport(FOLDER)
  await run()
  await folder.write({ 'files/tag.jpg': null })
  expect(await run()).toMatchObject({ isDone: true, hasChanged: false })
})

test('--prune removes photos, albums, content items and files that are missing from their tables', async () => {
  const { db, folder, run } = await openImport(FOLDER)
  await run()
  await folder.write({ 'photos.csv': 'albumId,fileName\n1,tag.jpg\n', 'content.csv': 'contentType\n' })
  expect(await run()).toMatchObject({ hasChanged: false })
  expect(countsOf(await run({ isPrune: true }))).toMatchObject({
    'photos.csv': { removed: 1 },
    'content.csv': { removed: 2 },
    'files/': { removed: 4 },
  })
  expect((await stored(db)).map(({ file }) => file)).toEqual(['photo/tag.jpg', 'thumbnail/tag.jpg'])
  await folder.write({ 'photos.csv': null, 'albums.csv': 'id,name\n' })
  expect(countsOf(await run({ isPrune: true }))).toMatchObject({
    'albums.csv': { removed: 1 },
    'photos.csv': { removed: 1 },
  })
})

test('missing, disguised, oversized, unreadable and active files and paths outside the folder are rejected', async () => {
  const { db, folder, run } = await openImport(FOLDER)
  await folder.write({
    'photos.csv':
      'albumId,fileName\n1,missing.jpg\n1,../secret.jpg\n1,fake.png\n1,huge.jpg\n1,broken.jpg\n1,active.svg\n1,plan.pdf\n1,dir.jpg\n1,giant.png\n1,pixels.svg\n',
    'files/fake.png': 'GIF89a',
    'files/huge.jpg': Buffer.alloc(21 * 1024 * 1024, 0xff),
    'files/broken.jpg': Buffer.from([0xff, 0xd8, 0xff, 0, 0, 0]),
    'files/active.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'files/pixels.svg':
      '<svg xmlns="http://www.w3.org/2000/svg"><image width="9" href="data:image/png;base64,iVBORw0KGgo="/></svg>',
    'files/dir.jpg/inner.txt': '',
    'files/giant.png': await buildGiantPng(),
  })
  const before = await dumpTables(db)
  expect(countsOf(await run())).toEqual([
    'photos.csv:2: fileName: "missing.jpg" is neither in files/ nor in the portal',
    'photos.csv:3: fileName: "../secret.jpg" is not the plain name of a file in files/',
    'photos.csv:4: fileName: "fake.png" is not what its ending says',
    'photos.csv:5: fileName: "huge.jpg" has 21 MB, at most 20 MB fit',
    'photos.csv:6: fileName: "broken.jpg" cannot be read as a picture',
    'photos.csv:7: fileName: "active.svg" cannot be read as a picture',
    'photos.csv:8: fileName: "plan.pdf" is not one of jpg, jpeg, png, webp, avif, svg',
    'photos.csv:9: fileName: "dir.jpg" is not a file',
    'photos.csv:10: fileName: "giant.png" has 256 megapixels, at most 50 fit',
    'photos.csv:11: fileName: "pixels.svg" holds an embedded picture, which SVG files must not have: save it as PNG',
  ])
  expect(await dumpTables(db)).toEqual(before)
})
