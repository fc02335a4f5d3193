import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from './log.ts'

const module = pathToFileURL(join(import.meta.dirname, 'log.ts')).href
const programOf = (body: string) => `import { createLog, exitAfterFlush } from ${JSON.stringify(module)}
  const log = createLog('info')
  ${body}`
const argsOf = (body: string) => ['--input-type=module', '--eval', programOf(body)]

test('the last log line is written before the process ends', async () => {
  const body = `for (let line = 0; line < 5000; line++) log.info('x'.repeat(100))
  log.fatal('the last one')
  exitAfterFlush(log, 3)`
  const child = spawn(process.execPath, argsOf(body), { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(child.exitCode).toBe(3)
  expect(output.split('\n')).toHaveLength(5_002)
  expect(output).toContain('the last one')
})

test('a full disk for the log neither ends the process nor prevents its end', async () => {
  const body = `log.info('one')
  setTimeout(() => {
    log.fatal('two')
    console.error('still there')
    exitAfterFlush(log, 0)
  }, 200)`
  const full = await open('/dev/full', 'w')
  const child = spawn(process.execPath, argsOf(body), { stdio: ['ignore', full.fd, 'pipe'], timeout: 20_000 })
  const [errors] = await Promise.all([text(child.stderr ?? Readable.from([])), once(child, 'close')])
  await full.close()
  expect({ errors, status: child.exitCode, signal: child.signalCode }).toEqual({
    errors: 'still there\n',
    status: 0,
    signal: null,
  })
})

test('a repeated error is logged once, then every five seconds with its number', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: { msg: string; id: number; repeats?: number; err: { message: string; stack: string } }[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) })
  for (let id = 1; id <= 1_000; id += 1)
    log.error({ err: new Error(`no answer within ${id} ms`), id }, 'request failed')
  log.error({ err: new Error('another cause'), id: 0 }, 'request failed')
  expect(lines.map(({ id }) => id)).toEqual([1, 0])
  vi.advanceTimersByTime(4_900)
  expect(lines).toHaveLength(2)
  vi.advanceTimersByTime(100)
  expect(lines).toHaveLength(3)
  expect(lines[2]).toMatchObject({ id: 1_000, repeats: 999, msg: 'request failed' })
  expect(lines[2]?.err.stack).toContain('log.test.ts')
  // After five seconds without the error, it counts as new.
  vi.advanceTimersByTime(5_000)
  log.error({ err: new Error('no answer within 5 ms'), id: 7 }, 'request failed')
  expect(lines.at(-1)).toMatchObject({ id: 7 })
  expect(lines).toHaveLength(4)
})

test('a terminal shows readable lines without control characters, a pipe JSON', async () => {
  const body = `log.warn({ path: '/api/health', ms: 3, name: 'a\\u001b[31mb' }, 'slow \\u001b[0m')
  log.error({ err: new Error('broken') }, 'failed')
  exitAfterFlush(log, 0)`
  const command = [process.execPath, ...argsOf(body)].map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect(output).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN: slow {1,2}(?:\[0m )?path=\/api\/health ms=3 name="a\\u001b\[31mb"\r\n/,
  )
  expect(output).toMatch(/ERROR: failed\r\n {4}Error: broken/)
})
