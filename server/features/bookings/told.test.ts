import { expect, test } from 'vitest'
import { sql } from '#server/db/client.ts'
import { createCourses } from '#server/features/courses/service.ts'
import { createViews } from '#server/features/courses/view-service.ts'
import { fromLatin1Text } from '#server/http/latin1-text.ts'
import { loadDemo } from '#server/import/demo.ts'
import { openTestServer } from '#server/test/server.ts'
import { presentBookingResponse, serializeBookingResponse } from './model.ts'

const server = await openTestServer()
const LANGUAGES = ['de', 'en'] as const

test('whoever is told of a course reads the same letters, written at once or in parts', {
  timeout: 120_000,
}, async () => {
  await loadDemo(server.db, { region: 'DE-NI' })
  const views = createViews(server.context, createCourses(server.context))
  const people = await server.db.query<{ id: number }>(sql`
    select id from web_users where email like '%@demo.example' order by id limit 12`)
  let count = 0
  for (const { id } of people) {
    const session = {
      id,
      email: '',
      isInstructor: false,
      isPasswordToChange: false,
      rights: [],
      isConfirmed: false,
      tokenHash: Buffer.alloc(32),
    }
    for (const view of await views.listAllViews(session))
      for (const language of LANGUAGES)
        for (const message of ['', 'Sie haben den Kurs „Yoga“ gebucht.']) {
          const told = { view, language, status: 'Ok' as const, message }
          const { status, bytes } = serializeBookingResponse(told)
          expect(fromLatin1Text(bytes)).toBe(JSON.stringify(presentBookingResponse(told)))
          expect(status).toBe('Ok')
          expect(bytes).toHaveLength(Buffer.byteLength(fromLatin1Text(bytes)))
          count += 1
        }
  }
  expect(count).toBeGreaterThan(2_000)
})
