import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { BrowserContext, Request, TestInfo } from '@playwright/test'

/**
 * JOURNEY_SHARING=FILE writes a report of the courses and accounts that one journey changes and another one uses. They
 * are on the portal of a worker, so the outcome of either may depend on their order.
 */
const REPORT = process.env.JOURNEY_SHARING
const LOG = `${REPORT}.jsonl`

type Use = { test: string; thing: string; isChange: boolean }

/** Courses named in a URL or body. */
function coursesIn(path: string, body: string): string[] {
  const ids = [
    /\/(?:course|course-details|course-participation|office\/courses)\/(\d+)/.exec(path)?.[1],
    ...[...body.matchAll(/"(?:courseId|fromCourseId|toCourseId)":(\d+)/g)].map(([, id]) => id),
    /coursebooking/.test(path) ? /"id":(\d+)/.exec(body)?.[1] : undefined,
  ]
  return ids.flatMap(id => (id === undefined ? [] : `course ${id}`))
}

/** Requests that change nothing that another journey reads. */
const isHarmless = (path: string, body: string) =>
  /\/(?:session|clienterror|passkeys)\b/.test(path) || body.includes('"preview":true')

/** Records the requests of a journey, of its pages and of its own calls. */
export function recordSharing(context: BrowserContext, { file, title }: TestInfo, accounts: ReadonlySet<string>): void {
  if (!REPORT) return
  const test = `${file.replace(/.*[\\/]/, '')} › ${title}`
  const record = (method: string, url: string, body: string) => {
    const { pathname } = new URL(url)
    const isChange = method !== 'GET' && !isHarmless(pathname, body)
    const things = [...coursesIn(pathname, body), ...(isChange ? [...accounts].map(name => `account ${name}`) : [])]
    for (const thing of new Set(things))
      appendFileSync(LOG, `${JSON.stringify({ test, thing, isChange } satisfies Use)}\n`)
  }
  context.on('request', (request: Request) => record(request.method(), request.url(), request.postData() ?? ''))
}

/** Starts a new report. @returns a function that writes it at the end of the run */
export function startSharingReport(): () => void {
  if (!REPORT) return () => {}
  writeFileSync(LOG, '')
  return () => {
    const uses = readFileSync(LOG, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): Use => JSON.parse(line))
    const lines = [...Map.groupBy(uses, ({ thing }) => thing)].flatMap(([thing, own]) => {
      const changing = new Set(own.filter(({ isChange }) => isChange).map(({ test }) => test))
      const using = new Set(own.map(({ test }) => test))
      if (changing.size === 0 || using.size < 2) return []
      return [
        `${thing}, changed by`,
        ...[...changing].map(name => `  ${name}`),
        '  used by',
        ...[...using].filter(name => !changing.has(name)).map(name => `  ${name}`),
      ]
    })
    writeFileSync(REPORT, `${lines.join('\n')}\n`)
  }
}
