import { expect, test } from 'vitest'
import { listInstructors, listWebContentItems } from '#contract/endpoints/content.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertInstructor } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()

const insertItem = (contentType: string, sortOrder: number, text1: string) =>
  server.db.execute(sql`
    insert into content_items (content_type, sort_order, text1, link_text2, link)
    values (${contentType}, ${sortOrder}, ${text1}, 'More', 'category:9')`)

test('content items are sorted by type and sort order, with every text field filled or empty', async () => {
  await insertItem('Flyer', 2, 'Flyer zwei')
  await insertItem('HomeTop', 10, 'Oben zehn')
  await insertItem('HomeTop', 9, '<p>Oben neun</p>')
  await insertItem('HomeCarrousel', 1, 'Karussell')
  const { status, body } = await server.request(listWebContentItems)
  expect(status).toBe(200)
  expect(body.map(({ text1 }) => text1)).toEqual(['Karussell', '<p>Oben neun</p>', 'Oben zehn', 'Flyer zwei'])
  expect(body[0]).toEqual({
    contentType: 'HomeCarrousel',
    pictureFileName: '',
    fileName: '',
    linkText: '',
    linkText2: 'More',
    text1: 'Karussell',
    text2: '',
    text3: '',
    text4: '',
    text5: '',
    link: 'category:9',
  })
})

test('an unchanged list is 304', async () => {
  const first = await server.request(listWebContentItems)
  const etag = first.headers.get('ETag') ?? ''
  const again = () => server.request(listWebContentItems, { headers: { 'If-None-Match': etag } })
  expect(await again()).toMatchObject({ status: 304, body: new Uint8Array() })
  await insertItem('Flyer', 3, 'Flyer drei')
  expect((await again()).status).toBe(200)
})

test('instructors are sorted by family name as in a telephone book, without e-mail address; 1900 means no year of birth', async () => {
  await insertInstructor(server.db, { familyName: 'Zorn', givenName: 'Ada' })
  await insertInstructor(server.db, { familyName: 'Öztürk', givenName: 'Cem', yearOfBirth: 1985, hobbies2: 'Chess' })
  await insertInstructor(server.db, { familyName: 'Otto', givenName: 'Zoë' })
  await insertInstructor(server.db, { familyName: 'Otto', givenName: 'Änne' })
  const { body } = await server.request(listInstructors)
  expect(body.map(({ givenName }) => givenName)).toEqual(['Cem', 'Änne', 'Zoë', 'Ada'])
  expect(body.map(({ yearOfBirth }) => yearOfBirth)).toEqual([1985, 1900, 1900, 1900])
  expect(body[0]).toMatchObject({ hobbies2: 'Chess', courses: '' })
  expect(JSON.stringify(body)).not.toContain('@')
})
