import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/**
 * The least that a booking could be: Node's own server, one prepared statement, no rule but the session. The floor that
 * bench/opening.ts holds the portal against. Arguments: the socket folder of PostgreSQL. Prints its port.
 */
export const BARE_BOOKING = `
  with person as (select web_user_id as id from sessions where token_hash = $1),
  course as (update bare_courses set taken = taken + 1, seq = seq + 1 where id = $2 returning id, seq, taken)
  insert into bare_bookings (course_id, web_user_id, seq) select c.id, p.id, c.seq from course c, person p returning seq`

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

async function serve(host: string): Promise<void> {
  const pool = new pg.Pool({ host, user: 'portal', database: 'postgres', max: 16 })
  const server = createServer(async (request, response) => {
    const { id } = JSON.parse(await bodyOf(request)) as { id: number }
    const token = Buffer.from(String(request.headers.sessiontoken), 'base64url')
    const { rows } = await pool.query({ name: 'book', text: BARE_BOOKING, values: [token, id] })
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ status: rows.length === 1 ? 'Ok' : 'Failed', message: '' }))
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  await once(server, 'listening')
  console.log((server.address() as AddressInfo).port)
  // With whoever started it, however that one ended.
  process.stdin.resume().once('close', () => process.exit())
}

if (process.argv[2]) await serve(process.argv[2])
