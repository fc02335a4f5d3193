/**
 * Reads programmes as workbooks of several writers, with this checkout and another one in turns, and reports the ratios of
 * processor time and memory. Also checks that each form has the values of the CSV files.
 * Usage: node tools/neighbours/workbook-forms.ts CHECKOUT [rounds]; needs the packages of tools/neighbours.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRealFolder, hasRealProgrammes } from '../../server/test/real-programmes.ts'
import { readSheets, readValues } from './programme-values.ts'
import { WRITERS } from './workbook-writers.ts'

const here = join(import.meta.dirname, '../..')
const [baseline, rounds = '5'] = process.argv.slice(2)
if (baseline === undefined) throw new Error('usage: node tools/neighbours/workbook-forms.ts CHECKOUT [rounds]')

const READERS = ['server/platform/files/read-xlsx.ts', 'server/import/read-xlsx.ts']
const readerOf = (checkout: string) =>
  READERS.map(path => join(checkout, path)).find(path => existsSync(path)) ?? join(checkout, READERS[0] ?? '')

/** Reads the workbook ten times in a process of its own. @returns processor time in ms and the highest memory in MB */
function measure(checkout: string, workbook: string): { ms: number; mb: number } {
  const script = `
    const { readXlsx } = await import(${JSON.stringify(readerOf(checkout))})
    const content = (await import('node:fs')).readFileSync(${JSON.stringify(workbook)})
    await readXlsx(content)
    const begin = process.cpuUsage()
    for (let time = 0; time < 10; time++) await readXlsx(content)
    const { user, system } = process.cpuUsage(begin)
    console.log(JSON.stringify({ ms: (user + system) / 1000, mb: process.resourceUsage().maxRSS / 1024 }))`
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: checkout, encoding: 'utf8' }),
  )
}

const PROGRAMMES = ['demo', ...(hasRealProgrammes ? ['bern', 'rwth', 'fribourg'] : [])]
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
let worst = { time: 0, memory: 0 }
for (const name of PROGRAMMES) {
  const real = name === 'demo' ? null : await createRealFolder(`${name}.json`)
  const source = real?.path ?? join(here, 'demo')
  const sheets = await readSheets(source)
  const expected = await readValues(source)
  for (const [writer, isThere, write] of WRITERS) {
    if (!isThere) continue
    const form = await mkdtemp(join(tmpdir(), 'form-'))
    const workbook = join(form, 'programme.xlsx')
    await writeFile(workbook, await write(sheets))
    const isEqual = (await readValues(form)) === expected
    const [ours, theirs]: { ms: number; mb: number }[][] = [[], []]
    for (let round = 0; round < Number(rounds); round++) {
      ours?.push(measure(here, workbook))
      theirs?.push(measure(baseline, workbook))
    }
    const ratio = (key: 'ms' | 'mb') =>
      median((ours ?? []).map(one => one[key])) / median((theirs ?? []).map(one => one[key]))
    const [time, memory] = [ratio('ms'), ratio('mb')]
    worst = { time: Math.max(worst.time, time), memory: Math.max(worst.memory, memory) }
    console.log(
      `${name}, ${writer}: ${isEqual ? 'equal' : 'DIFFERENT'}, time × ${time.toFixed(2)}, memory × ${memory.toFixed(2)}`,
    )
    await rm(form, { recursive: true })
  }
  await real?.remove()
}
console.log(`at most: time × ${worst.time.toFixed(2)}, memory × ${worst.memory.toFixed(2)}`)
