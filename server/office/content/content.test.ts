import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listInstructors, listPages, listWebContentItems } from '#contract/endpoints/content.ts'
import { listAlbums, listPhotos } from '#contract/endpoints/gallery.ts'
import { listOfficeContent, uploadOfficeFile } from '#contract/office/content.ts'
import { listOfficeCategories, listOfficeInstructors } from '#contract/office/programme.ts'
import { insertCourse } from '#server/test/factories.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['content', 'programme'])

const picture = async (color: string) =>
  sharp({ create: { width: 600, height: 300, channels: 3, background: color } })
    .jpeg()
    .toBuffer()
const upload = async (name: string, content: Buffer) => {
  const file = new File([new Uint8Array(content)], name)
  return (await server.request(uploadOfficeFile, { file, token: office.token })).body.fileId
}
const act = async (body: TestAct) => {
  const { status, result } = await office.actAsPreviewed(body)
  expect(status).toBe('Ok')
  return result.id as number
}
const see = async () => (await server.request(listWebContentItems)).body
const statusOf = async (path: string) => (await server.app.request(path)).status

test('a content item without text, picture and link is refused', async () => {
  const empty = { kind: 'save-content', contentType: 'Flyer', text1: '', link: '' } as const
  expect(await office.act(empty)).toMatchObject({ status: 'Failed', code: 'office.failed.emptyContent' })
})

test('a flyer with picture and document is displayed as saved, partly changed, and removed', async () => {
  const [pictureFileId, fileId] = [
    await upload('rot.jpg', await picture('#d00000')),
    await upload('plan.pdf', Buffer.from('%PDF-1.7')),
  ]
  const id = await act({
    kind: 'save-content',
    contentType: 'Flyer',
    text1: '<p onclick="x">Yoga<script>x</script></p>',
    text3: 'Yoga',
    link: 'category:3',
    pictureFileId,
    fileId,
  })
  expect(await see()).toMatchObject([
    {
      contentType: 'Flyer',
      text1: '<p>Yoga</p>',
      pictureFileName: 'rot.jpg',
      fileName: 'plan.pdf',
      link: 'category:3',
    },
  ])
  expect(await statusOf('/content/rot.jpg')).toBe(200)
  // A different picture with the same name is stored separately.
  await act({
    kind: 'save-content',
    contentType: 'Flyer',
    pictureFileId: await upload('rot.jpg', await picture('#0000d0')),
  })
  expect((await see()).map(({ pictureFileName }) => pictureFileName)).toEqual(['rot.jpg', 'rot-2.jpg'])
  const { items } = (await server.request(listOfficeContent, { token: office.token })).body
  expect(items).toMatchObject([{ id, version: 1, sortOrder: 1 }, { sortOrder: 2 }])
  await act({ kind: 'save-content', id, version: 1, text1: 'Pilates', pictureFileName: '' })
  expect((await see())[0]).toMatchObject({ text1: 'Pilates', pictureFileName: '', fileName: 'plan.pdf' })
  expect((await office.act({ kind: 'save-content', id, version: 1, text1: 'x' })).status).toBe('Changed')
  // Inserting at an existing position shifts the following items by one.
  await act({ kind: 'save-content', id, sortOrder: 2 })
  const ordered = (await server.request(listOfficeContent, { token: office.token })).body.items
  expect(ordered.map(({ text1, sortOrder }) => [text1, sortOrder])).toEqual([
    ['Pilates', 2],
    ['', 3],
  ])
  expect((await office.act({ kind: 'save-content', id, link: 'javascript:x' })).status).toBe('Failed')
  expect((await office.act({ kind: 'save-content', id, pictureFileId: fileId })).status).toBe('Failed')
  await act({ kind: 'remove', what: 'content', id })
  expect(await see()).toHaveLength(1)
})

test('public albums and albums of a course are saved with their photos', async () => {
  const photo = await picture('#00d000')
  const album = await act({ kind: 'save-album', name: 'Fest', name2: 'Party', fileId: await upload('fest.jpg', photo) })
  const id = await act({ kind: 'save-photo', albumId: album, fileId: await upload('fest.jpg', photo) })
  expect((await server.request(listAlbums)).body).toMatchObject([
    { id: album, name2: 'Party', thumbnailFileName: 'fest.jpg' },
  ])
  expect((await server.request(listPhotos, { params: { albumId: album } })).body).toMatchObject([
    { fileName: 'fest.jpg' },
  ])
  const second = await act({
    kind: 'save-photo',
    albumId: album,
    fileId: await upload('tor.jpg', await picture('#0000d0')),
  })
  await act({ kind: 'save-photo', id: second, sortOrder: 1 })
  expect(
    (await server.request(listPhotos, { params: { albumId: album } })).body.map(({ fileName }) => fileName),
  ).toEqual(['tor.jpg', 'fest.jpg'])
  await act({ kind: 'remove', what: 'photo', id: second })
  expect(await statusOf('/photos/fest.jpg')).toBe(200)
  expect((await office.act({ kind: 'remove', what: 'album', id: album })).status).toBe('Failed')
  const { number } = await insertCourse(server.db)
  await act({ kind: 'save-album', id: album, courseNumber: number })
  expect((await server.request(listAlbums)).body).toEqual([])
  expect(await statusOf('/photos/fest.jpg')).toBe(404)
  await act({ kind: 'remove', what: 'photo', id })
  await act({ kind: 'remove', what: 'album', id: album })
})

test('a saved page is sanitized and replaces the built-in one until it is emptied', async () => {
  const pages = async () => (await server.request(listPages)).body
  expect(await pages()).toEqual([])
  await act({ kind: 'save-page', page: 'faq', text: '<h1>Fragen</h1><img src=x onerror=y><p>Ja</p>' })
  await act({ kind: 'save-page', page: 'faq', version: 1, text2: '<p>Yes</p>' })
  expect(await pages()).toEqual([{ page: 'faq', text: '<h3>Fragen</h3><p>Ja</p>', text2: '<p>Yes</p>' }])
  await act({ kind: 'save-page', page: 'faq', version: 2, text: '', text2: '' })
  expect(await pages()).toEqual([])
})

test('a category and an instructor have a picture, which remains when other fields change', async () => {
  const { result } = await office.actAsPreviewed({
    kind: 'save-category',
    name: 'Klettern',
    fileId: await upload('wand.jpg', await picture('#00d000')),
  })
  const id = Number(result.id)
  await office.act({ kind: 'save-category', id, name2: 'Climbing' })
  const categories = await server.request(listOfficeCategories, { token: office.token })
  expect(categories.body.items.find(category => category.id === id)).toMatchObject({
    name2: 'Climbing',
    icon: 'wand.jpg',
  })
  expect(await statusOf('/content/wand.jpg')).toBe(200)
  // A built-in icon replaces the picture; a file name alone is not a valid icon.
  expect((await office.act({ kind: 'save-category', id, icon: 'wand.jpg' })).status).toBe('Failed')
  expect((await office.act({ kind: 'save-category', id, icon: 'team' })).status).toBe('Ok')
  expect(await statusOf('/content/wand.jpg')).toBe(404)

  const email = 'kletter@example.org'
  await office.actAsPreviewed({
    kind: 'save-instructor',
    email,
    familyName: 'Fels',
    fileId: await upload('fels.jpg', await picture('#888888')),
  })
  const contract = { licence: 'DOSB C', licenceUntil: '2100-03-17', hourlyFee: 42.5 }
  await office.act({ kind: 'save-instructor', email, hobbies: 'Höhlen', ...contract })
  const { items } = (await server.request(listOfficeInstructors, { token: office.token })).body
  expect(items.find(one => one.email === email)).toMatchObject({
    hobbies: 'Höhlen',
    pictureFileName: 'fels.jpg',
    ...contract,
  })
  // The contract is not part of the public profile.
  const { body: profiles } = await server.request(listInstructors, {})
  expect(JSON.stringify(profiles)).toContain('Höhlen')
  expect(JSON.stringify(profiles)).not.toMatch(/DOSB|licence|hourlyFee/)
  await office.act({ kind: 'save-instructor', email, licence: '', licenceUntil: null, hourlyFee: 0 })
  const cleared = (await server.request(listOfficeInstructors, { token: office.token })).body.items
  expect(cleared.find(one => one.email === email)).toMatchObject({ licence: '', licenceUntil: null, hourlyFee: 0 })
  expect(await statusOf('/content/fels.jpg')).toBe(200)
})
