import { expect, test } from 'vitest'
import { bookCourse, getCourse } from '#contract/endpoints/courses.ts'
import { getOpenApi } from '#contract/endpoints/system.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { insertBooking, insertCourse, insertUserWithSession } from '#server/test/factories.ts'
import { openTestServer } from '#server/test/server.ts'
import { listFailureCodes } from './failure-codes.ts'

const server = await openTestServer()

test('a rejected booking has a stable failure code', async () => {
  const { id } = await insertCourse(server.db, { capacity: 1 })
  await insertBooking(server.db, id, (await insertUserWithSession(server.db)).id)
  const { token } = await insertUserWithSession(server.db, { employeeStatus: EMPLOYEE_STATUS.External })
  const booked = await server.request(bookCourse, { body: { id }, token })
  expect(booked.body).toMatchObject({ status: 'Failed', code: 'booking.full' })
  const shown = await server.request(getCourse, { params: { id }, token })
  expect(shown.body).not.toHaveProperty('code')
})

test.each([
  [401, 'session.invalid', { body: { id: 1 } }],
  [400, 'request.invalidField', { body: { id: 'x' } }],
  [404, 'request.notFound', { body: { id: 999_999 } }],
] as const)('a response with status %i has the code %s', async (status, code, { body }) => {
  const token = status === 401 ? undefined : (await insertUserWithSession(server.db)).token
  const answer = await server.request(bookCourse, { body: body as { id: number }, ...(token && { token }) })
  expect(answer).toMatchObject({ status, body: { status: 'Failed', code } })
})

test('codes are unique and listed in the API description', async () => {
  const codes = listFailureCodes().map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  const { body } = await server.request(getOpenApi)
  expect(JSON.parse(JSON.stringify(body)).components.schemas.failure.properties.code['x-extensible-enum']).toEqual(
    codes,
  )
})
