import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import pino from 'pino'
import { expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { createErrorHandler } from './problems.ts'

const { db } = await openTestDatabase({ poolSize: 2 })

test.each([0, 50])('a connection lost %i ms before a statement results in a 503 that can be retried', async pauseMs => {
  const app = new Hono()
  app.onError(createErrorHandler(pino({ level: 'silent' })))
  app.get('/', c =>
    db.transaction(async tx => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await db.execute(sql`select pg_terminate_backend(${pid}, 5000)`)
      await sleep(pauseMs)
      await tx.one(sql`select 1 as one`)
      return c.text('done')
    }),
  )
  const response = await app.request('/')
  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('2')
})
