import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dump, load } from 'js-yaml'
import { afterAll, expect, vi } from 'vitest'
import { findFreePort } from '../../server/test/free-port.ts'

type Labels = Record<string, string>
export type Rule = { alert: string; expr: string; annotations: Labels }
export const rulesFile = join(import.meta.dirname, '../../docs/operation/alerts.yml')
const written = readFileSync(rulesFile, 'utf8')
export const rules = (load(written) as { groups: { rules: Rule[] }[] }).groups.flatMap(group => group.rules)

const folder = await mkdtemp(join(tmpdir(), 'monitoring-'))
const running: ChildProcess[] = []
afterAll(async () => {
  for (const child of running) {
    const ended = once(child, 'exit')
    if (child.kill()) await ended
  }
  await rm(folder, { recursive: true })
})

/** Ended after the tests of the file. */
export function startProgram(program: string, args: string[]): void {
  running.push(spawn(program, args, { stdio: 'ignore' }))
}

/** Scrapes and evaluates every few seconds. @returns queries of its HTTP API */
export async function startPrometheus(ruleFile: string, targets: Record<string, number>, interval = '2s') {
  const port = await findFreePort()
  const scrapes = Object.entries(targets).map(([job_name, target]) => ({
    job_name,
    scrape_interval: interval,
    static_configs: [{ targets: [`127.0.0.1:${target}`] }],
  }))
  const config = join(folder, `prometheus-${port}.yml`)
  await writeFile(
    config,
    dump({ global: { evaluation_interval: '1s' }, rule_files: [ruleFile], scrape_configs: scrapes }),
  )
  const data = `--storage.tsdb.path=${join(folder, String(port))}`
  startProgram('prometheus', [`--config.file=${config}`, data, `--web.listen-address=127.0.0.1:${port}`])
  const ask = async (path: string, query: Labels = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(query)}`)
    return ((await answer.json()) as { data: never }).data
  }
  return {
    ask,
    /** Labels of each series of the result. */
    async query(query: string): Promise<Labels[]> {
      const { result }: { result: { metric: Labels }[] } = await ask('query', { query })
      return result.map(({ metric }) => metric)
    },
  }
}

/** The shipped rules for a test of seconds: short waits and ranges, and 3 s for what may last five minutes. */
const hasten = (range: string) =>
  written
    .replace(/for: \w+/g, 'for: 1s')
    .replace('[7d]', '[10m]')
    .replace(/\[\d+h\]|\[5m\]/g, `[${range}]`)
    .replace(/(longest_transaction_seconds >) 300/, '$1 3')

/** A Prometheus with the shipped rules, their times shortened. */
export async function watchAlarms(targets: Record<string, number>, { interval = '2s', range = '10s' } = {}) {
  const file = join(folder, `rules-${range}.yml`)
  await writeFile(file, hasten(range))
  const prometheus = await startPrometheus(file, targets, interval)
  // Works in concurrent tests, other than expect.poll.
  const until = (check: (found: Labels[]) => void, query = 'ALERTS{alertstate="firing"}') =>
    vi.waitFor(async () => check(await prometheus.query(query)), { timeout: 90_000, interval: 200 })
  return {
    ...prometheus,
    fires: (alertname: string, labels: Labels = {}) =>
      until(found => expect(found).toContainEqual(expect.objectContaining({ alertname, ...labels }))),
    clears: (alertname: string, labels: Labels = {}) =>
      until(found => expect(found).not.toContainEqual(expect.objectContaining({ alertname, ...labels }))),
    /** Resolves once the query has a result. */
    finds: (query: string) => until(found => expect(found).not.toEqual([]), query),
  }
}
