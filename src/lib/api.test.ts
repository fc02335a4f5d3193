// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest'
import { api } from './api.ts'
import { ApiError, NoResponseError, onReachabilityReport, onSessionLost } from './api-error.ts'

const lost = vi.fn()
const reachable: boolean[] = []
onSessionLost(lost)
onReachabilityReport(isReachable => reachable.push(isReachable))

const answerWith = (status: number, body: string, type = 'application/json') =>
  vi.stubGlobal(
    'fetch',
    async () => new Response(body, { status, headers: { 'Content-Type': type, 'Retry-After': '7' } }),
  )

beforeEach(() => {
  window.location.href = 'http://portal.example/'
  localStorage.setItem('SessionToken', 'token')
  lost.mockClear()
  reachable.length = 0
})

const failure = JSON.stringify({ status: 'Failed', message: 'no' })

test('an API refusal carries its message and the Retry-After seconds', async () => {
  answerWith(429, failure)
  const error = await api.listInstructorCourses().catch(thrown => thrown)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 429, message: 'no', retryAfter: 7 })
  expect(reachable).toEqual([true])
})

test('a downloaded file gets its name from Content-Disposition', async () => {
  vi.stubGlobal('fetch', async () => {
    const headers = { 'Content-Disposition': "attachment; filename*=UTF-8''26501%20R%C3%BCckenfit%20%28neu%29.pdf" }
    return new Response('%PDF', { headers: { 'Content-Type': 'application/pdf', ...headers } })
  })
  const file = await api.getParticipantList({ params: { id: 1 } })
  expect([file.name, file.type, await file.text()]).toEqual(['26501 Rückenfit (neu).pdf', 'application/pdf', '%PDF'])
})

test('a page without the XSRF cookie, such as one from the cache, gets it before a login', async () => {
  const sent: [string, string | null][] = []
  const cookie = vi.spyOn(document, 'cookie', 'get').mockReturnValue('')
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push([`${request.method} ${new URL(request.url).pathname}`, request.headers.get('X-XSRF-TOKEN')])
    if (request.method === 'GET') cookie.mockReturnValue('XSRF-TOKEN=fresh')
    return new Response('{}', { headers: { 'Content-Type': 'application/json' } })
  })
  const body = { userName: 'kim@demo.example', password: 'secret', keepSession: false }
  await api.login({ body })
  await api.login({ body })
  expect(sent).toEqual([
    ['GET /api/config/datetime', null],
    ['PUT /api/session', 'fresh'],
    ['PUT /api/session', 'fresh'],
  ])
  cookie.mockReturnValue('')
  sent.length = 0
  await api.cancelCourse({ body: { id: 1 } })
  expect(sent).toEqual([['PUT /api/course/coursecancel', '']])
  cookie.mockRestore()
})

test('only a 401 from the portal itself ends the session', async () => {
  answerWith(401, '<h1>Log in to our wifi</h1>', 'text/html')
  await expect(api.listInstructorCourses()).rejects.toBeInstanceOf(NoResponseError)
  answerWith(401, JSON.stringify({ message: 'proxy' }))
  await expect(api.listInstructorCourses()).rejects.toBeInstanceOf(NoResponseError)
  expect(lost).not.toHaveBeenCalled()
  expect(reachable).toEqual([false, false])
  answerWith(401, failure)
  await expect(api.listInstructorCourses()).rejects.toBeInstanceOf(ApiError)
  expect(lost).toHaveBeenCalledOnce()
})

test('an HTML page, truncated JSON and a network error are reported as NoResponseError', async () => {
  answerWith(200, '<h1>Welcome</h1>', 'text/html')
  await expect(api.listInstructorCourses()).rejects.toBeInstanceOf(NoResponseError)
  answerWith(200, '[{"id":')
  await expect(api.listInstructorCourses()).rejects.toBeInstanceOf(NoResponseError)
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(api.listInstructorCourses()).rejects.toBeInstanceOf(NoResponseError)
  expect(reachable).toEqual([false, false, false])
})

test('a proxy that refuses the size of an upload is no lost connection', async () => {
  answerWith(413, '<h1>413 Request Entity Too Large</h1>', 'text/html')
  const file = new File(['%PDF'], 'note.pdf')
  const cookie = vi.spyOn(document, 'cookie', 'get').mockReturnValue('XSRF-TOKEN=known')
  const error = await api.uploadOfficeFile({ file }).catch(thrown => thrown)
  cookie.mockRestore()
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 413, message: '' })
  expect(reachable).toEqual([true])
})

test('after a history navigation requests are revalidated, and no preloaded response is reused', async () => {
  const modes: string[] = []
  // happy-dom has no `cache` in requests.
  let cache: RequestCache | undefined
  const Real = Request
  class RequestWithCache extends Real {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(input, init)
      cache = init?.cache
    }
  }
  vi.stubGlobal('Request', RequestWithCache)
  vi.stubGlobal('fetch', async ({ credentials }: Request) => {
    modes.push(`${credentials} ${cache}`)
    return new Response('[]', { headers: { 'Content-Type': 'application/json' } })
  })
  await api.listInstructorCourses()
  const entries = vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'back_forward' } as never])
  await api.listInstructorCourses()
  entries.mockRestore()
  vi.stubGlobal('Request', Real)
  expect(modes).toEqual(['same-origin undefined', 'include no-cache'])
})

test('a request without a response times out', async () => {
  await import('./call.ts')
  vi.useFakeTimers()
  vi.stubGlobal(
    'fetch',
    ({ signal }: Request) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new DOMException('late', 'AbortError'))),
      ),
  )
  const pending = expect(api.listInstructorCourses()).rejects.toBeInstanceOf(NoResponseError)
  await vi.advanceTimersByTimeAsync(20_000)
  await pending
  // Settling a season takes longer on a busy server.
  const settled = vi.fn()
  const act = api
    .getOfficeMoney()
    .finally(settled)
    .catch(() => 'late')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(settled).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await act).toBe('late')
  vi.useRealTimers()
})

test('a download fails after some seconds, even if a proxy requests to retry after an hour', async () => {
  vi.useFakeTimers()
  const requests = vi.fn(async () => new Response('', { status: 503, headers: { 'Retry-After': '3600' } }))
  vi.stubGlobal('fetch', requests)
  const failed = expect(api.getParticipantList({ params: { id: 1 } })).rejects.toThrow()
  await vi.advanceTimersByTimeAsync(10_000)
  await failed
  expect(requests).toHaveBeenCalledTimes(3)
  vi.useRealTimers()
})
