import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from './load-ledger.ts'

/** A call without a response for this time counts as silent. */
const SILENT_MS = 8_000

/**
 * Number of calls by outcome: acknowledged, rejected by a rule, 503 with and without Retry-After, other 5xx, no response
 * within 8 s, connection lost, connection refused.
 */
type LoadCounts = Record<
  'ok' | 'refused' | 'unavailable' | 'unnamed' | 'fault' | 'silent' | 'unknown' | 'unreached',
  number
>

export type LoadClient = ReturnType<typeof createLoadClient>

/** Records that the row of an entry has the value of an acknowledged call. */
export function acknowledge(client: LoadClient, entry: Entry, value: string): void {
  entry.possible = new Set([value])
  client.counts.ok += 1
}

/** Client that sends calls to the portals in turn and records their outcomes. */
export function createLoadClient(urls: string[]) {
  const counts: LoadCounts = {
    ok: 0,
    refused: 0,
    unavailable: 0,
    unnamed: 0,
    fault: 0,
    silent: 0,
    unknown: 0,
    unreached: 0,
  }
  /** one line for each silent call, with the longest delay of this process's event loop during the call */
  const silences: string[] = []
  /** one line for each response that must not occur: other 5xx, 503 without Retry-After, rejected by a rule */
  const faults: string[] = []
  let lastOk = { begunAt: 0, at: 0 }
  let slowestRefusal = 0
  let refusalsFrom = 0
  let portal = 0

  function noteFailure(response: Response, call: string, answer: unknown, startedAt: number) {
    const isNamed = response.status === 503 && response.headers.has('Retry-After')
    if (!isNamed) faults.push(`${call}: ${response.status} ${JSON.stringify(answer)}`)
    if (response.status === 503) {
      counts[isNamed ? 'unavailable' : 'unnamed'] += 1
      slowestRefusal = Math.max(slowestRefusal, performance.now() - Math.max(startedAt, refusalsFrom))
    } else counts[response.status >= 500 ? 'fault' : 'refused'] += 1
  }

  async function noteSilence(call: string, delayMs: number) {
    counts.silent += 1
    const pressure = await readFile('/proc/pressure/cpu', 'utf8').catch(() => '')
    silences.push(
      `${new Date().toISOString().slice(11, 19)} ${call}: no answer for ${SILENT_MS} ms, event loop delayed by ${delayMs} ms, processor: ${pressure.split('\n')[0]}, load ${loadavg()[0]}`,
    )
  }

  /** @returns the response if its status is 200; null or 'silent' if it is unknown whether the call was executed */
  async function call(method: string, path: string, token: string, body?: object) {
    portal += 1
    // Without a session, cookie and header prove that the call comes from the portal's own pages.
    const pair = { Cookie: 'XSRF-TOKEN=kills', 'X-XSRF-TOKEN': 'kills' }
    const headers = { SessionToken: token, 'Content-Type': 'application/json', ...pair }
    const signal = AbortSignal.timeout(SILENT_MS)
    const delay = monitorEventLoopDelay({ resolution: 20 })
    delay.enable()
    const startedAt = performance.now()
    try {
      const url = `${urls[portal % urls.length]}/api/${path}`
      const response = await fetch(url, {
        method,
        headers,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = (await response.json()) as Record<string, unknown>
      if (response.status === 200) {
        if (body) lastOk = { begunAt: startedAt, at: performance.now() }
        return answer
      }
      noteFailure(response, `${method} ${path}`, answer, startedAt)
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string }
      if (code === 'ECONNREFUSED') {
        counts.unreached += 1
        return 'nobody there'
      }
      if (signal.aborted) {
        await noteSilence(`${method} ${path}`, Math.round(delay.max / 1e6))
        return 'silent'
      }
      counts.unknown += 1
    } finally {
      delay.disable()
    }
    await sleep(100)
    return null
  }

  return {
    counts,
    silences,
    faults,
    call,
    /** times of the call that was acknowledged last, by performance.now() */
    lastOk: () => lastOk,
    /** longest time in ms that a call waited for a 503 since this function was last called */
    takeSlowestRefusal() {
      const slowest = slowestRefusal
      slowestRefusal = 0
      refusalsFrom = performance.now()
      return slowest
    },
  }
}
