import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/**
 * Baseline for tools/bench/opening.ts: a minimal booking with Node's HTTP server and one prepared statement that only checks
 * the session. Takes PostgreSQL's socket folder as its argument and prints its port.
 */
export const BARE_BOOKING = `
  with person as (select web_user_id as id from sessions where token_hash = $1),
  course as (update bare_courses set taken = taken + 1, seq = seq + 1 where id = $2 returning id, seq, taken)
  insert into bare_bookings (course_id, web_user_id, seq) select c.id, p.id, c.seq from course c, person p returning seq`

export const BARE_TICK = `
  insert into bare_ticks as t (lesson, person, is_present, changed_at)
  select $2, $3, $4, now() from sessions where token_hash = $1
  on conflict (lesson, person) do update set is_present = excluded.is_present, changed_at = excluded.changed_at returning lesson`

type Body = { id: number } | { courseDateId: number; webUserId: number; changeState: string }

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** Session tokens are stored as hashes. */
const tokenOf = (sent: string) =>
  sent.startsWith('token-') ? createHash('sha256').update(sent).digest() : Buffer.from(sent, 'base64url')

async function serve(host: string): Promise<void> {
  const pool = new pg.Pool({ host, user: 'portal', database: 'postgres', max: 16 })
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await bodyOf(request)) as Body
    const token = tokenOf(String(request.headers.sessiontoken))
    const { rows } = await pool.query(
      'id' in body
        ? { name: 'book', text: BARE_BOOKING, values: [token, body.id] }
        : {
            name: 'tick',
            text: BARE_TICK,
            values: [token, body.courseDateId, body.webUserId, body.changeState === 'added'],
          },
    )
    const json = JSON.stringify({ status: rows.length === 1 ? 'Ok' : 'Failed', message: '' })
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': json.length })
    response.end(json)
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  await once(server, 'listening')
  console.log((server.address() as AddressInfo).port)
  // Exits with its parent process, even if that one crashed.
  process.stdin.resume().once('close', () => process.exit())
}

if (process.argv[2]) await serve(process.argv[2])
