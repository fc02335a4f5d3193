import { Agent, request } from 'node:http'
import { Portal } from '../../e2e/portal.ts'
import { processorMs } from './processor.ts'
import { report } from './report.ts'

/**
 * node tools/bench/calls.ts [URL PID]: measures requests per second and core for the most frequent calls, by CPU time of the
 * portal's process; the database is excluded.
 */
const CONNECTIONS = 32
const WARM_UP = 2_000
const COUNT = 8_000
const LIMIT = 5_000

/** Sends `count` requests over all connections. @returns status and headers of the last response */
async function ask(url: string, count: number, headers: Record<string, string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let left = count
  let last = { status: 0, etag: '' }
  const once = () =>
    new Promise<void>((resolve, reject) => {
      request(
        url,
        { agent, headers: { 'Accept-Encoding': 'br', Cookie: 'XSRF-TOKEN=bench', ...headers } },
        response => {
          response.resume()
          response.on('end', () => {
            last = { status: response.statusCode ?? 0, etag: response.headers.etag ?? '' }
            resolve()
          })
        },
      )
        .on('error', reject)
        .end()
    })
  const lane = async () => {
    while (left > 0) {
      left -= 1
      await once()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  agent.destroy()
  return last
}

/** Requests per second of the process's CPU time. */
export async function rateOf(url: string, pid: number, headers: Record<string, string> = {}, count = COUNT) {
  await ask(url, Math.min(count, WARM_UP), headers)
  const before = await processorMs(pid)
  const last = await ask(url, count, headers)
  return { perSecond: count / (((await processorMs(pid)) - before) / 1000), ...last }
}

if (process.argv[1] === import.meta.filename) {
  const portal = await Portal.open()
  const index = `${portal.url}/api/course?view=index`
  const fresh = await rateOf(index, portal.pid)
  const known = await rateOf(index, portal.pid, { 'If-None-Match': fresh.etag })
  if (known.status !== 304) throw new Error(`the index is answered by ${known.status} to who knows it`)
  const rows = {
    'index of the list': fresh,
    'index known already (304)': known,
    'page /courses': await rateOf(`${portal.url}/courses`, portal.pid),
    'page of a course': await rateOf(`${portal.url}/course-details/1`, portal.pid),
    'a file of the app': await rateOf(`${portal.url}/boot.js`, portal.pid),
  }
  for (const [what, { perSecond }] of Object.entries(rows)) {
    report({ what: `calls: ${what}`, figure: perSecond, unit: '/s per core', limit: { atLeast: LIMIT } })
  }
  await portal.close()
}
