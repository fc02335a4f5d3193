import sharp from 'sharp'
import { expect, test } from 'vitest'
import { importProgramme } from '#server/features/programme/import-programme.ts'
import { openTestFolder } from '#server/test/import-folder.ts'
import { openTestServer } from '#server/test/server.ts'
import { stripPictureMetadata } from './pictures.ts'

/**
 * Creates a picture, half red and half blue, as from a phone held sideways: rotated by its EXIF orientation, with
 * location and author.
 */
const taken = async (format: 'jpeg' | 'png' | 'webp' | 'avif', orientation = 6) => {
  const left = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#d00000' } })
    .png()
    .toBuffer()
  return sharp({ create: { width: 120, height: 60, channels: 3, background: '#0000d0' } })
    .composite([{ input: left, left: 0, top: 0 }])
    .withMetadata({ orientation })
    .withExif({ IFD0: { Artist: 'CANARY-ARTIST' }, IFD3: { GPSLatitude: '52/1 25/1 0/1', GPSLatitudeRef: 'N' } })
    .toFormat(format)
    .toBuffer()
}

const server = await openTestServer()
const folder = await openTestFolder({
  'albums.csv': 'id,name,thumbnailFileName\n1,Fest,gps.jpg\n',
  'photos.csv': 'albumId,fileName\n1,gps.jpg\n',
  'content.csv': 'contentType,pictureFileName,fileName\nFlyer,gps.png,gps.webp\n',
  'files/gps.jpg': await taken('jpeg'),
  'files/gps.png': await taken('png'),
  'files/gps.webp': await taken('webp'),
})
expect(await importProgramme(server.db, { folder: folder.path, region: 'DE-NI' })).toMatchObject({ isDone: true })

test.each(['/photos/gps.jpg', '/photos/gps.jpg?w=640', '/thumbnails/gps.jpg', '/content/gps.png', '/content/gps.webp'])(
  '%s loses its location and author, and its orientation is applied',
  async path => {
    const content = Buffer.from(await (await server.app.request(path)).arrayBuffer())
    expect(content.toString('latin1')).not.toMatch(/CANARY|GPS|Exif/)
    const { exif, xmp, iptc, orientation, width, height } = await sharp(content).metadata()
    expect({ exif, xmp, iptc, orientation, width, height }).toEqual({ width: 60, height: 120 })
    const upper = await sharp(content).extract({ left: 30, top: 30, width: 1, height: 1 }).raw().toBuffer()
    expect(upper[0]).toBeGreaterThan(180)
  },
)

test('importing again creates no new derivatives', async () => {
  const outcome = await importProgramme(server.db, { folder: folder.path, region: 'DE-NI' })
  expect(outcome).toMatchObject({ isDone: true, hasChanged: false })
})

test('an AVIF picture loses its metadata, too', async () => {
  const { exif } = await sharp((await stripPictureMetadata(await taken('avif'))) ?? undefined).metadata()
  expect(exif).toBeUndefined()
})

test('data after the end of a JPEG or in its comments is removed', async () => {
  const plain = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer()
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 15]), Buffer.from('CANARY-IN-COM')])
  const hiding = Buffer.concat([plain.subarray(0, 2), comment, plain.subarray(2), Buffer.from('CANARY-BEHIND')])
  expect((await stripPictureMetadata(hiding))?.toString('latin1')).not.toContain('CANARY')
})

test('a picture without metadata is unchanged, and a file that is not a picture is rejected', async () => {
  const plain = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .webp()
    .toBuffer()
  expect(await stripPictureMetadata(plain)).toBe(plain)
  expect(await stripPictureMetadata(Buffer.from('no picture'))).toBeNull()
})
