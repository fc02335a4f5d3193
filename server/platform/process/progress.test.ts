import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withProgress } from './progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function outputOf(
  isTTY: boolean,
  steps: [afterMs: number, text: string][],
  options: Parameters<typeof withProgress>[2] = {},
): Promise<string[]> {
  const lines: string[] = []
  const done = withProgress(
    async report => {
      for (const [afterMs, text] of steps) {
        await new Promise(resolve => setTimeout(resolve, afterMs))
        report(text)
      }
      await new Promise(resolve => setTimeout(resolve, 1_500))
    },
    { isTTY, write: line => lines.push(line) },
    options,
  )
  await vi.runAllTimersAsync()
  await done
  return lines
}

test('work of less than half a minute prints nothing into a file', async () => {
  const steps: [number, string][] = [
    [100, 'copying tables 1 of 2'],
    [20_000, 'comparing tables 1 of 2'],
  ]
  expect(await outputOf(false, steps)).toEqual([])
})

test('a file gets a line per step, and further ones while a step lasts', async () => {
  const steps: [number, string][] = Array.from({ length: 70 }, (_, index) => [
    1_000,
    `copying tables ${index + 1} of 70`,
  ])
  expect(await outputOf(false, [...steps, [10, 'comparing tables 1 of 70']])).toEqual([
    'copying tables 29 of 70\n',
    'copying tables 59 of 70\n',
    'comparing tables 1 of 70\n',
  ])
})

test('a terminal shows one line with the seconds, which the end removes', async () => {
  const lines = await outputOf(true, [
    [0, 'checking'],
    [3_000, 'writing 1 of 3'],
  ])
  expect(lines[0]).toBe('\r\u001b[2Kchecking')
  expect(lines).toContain('\r\u001b[2Kchecking (2 s)')
  expect(lines).toContain('\r\u001b[2Kwriting 1 of 3 (3 s)')
  expect(lines.at(-1)).toBe('\r\u001b[2K')
})

test('steps that are kept: a terminal retains each line with its seconds, a file gets each at once', async () => {
  const steps: [number, string][] = [
    [0, 'stopping'],
    [3_000, 'copying the data'],
    [4_000, 'ready'],
  ]
  const options = { patienceMs: 0, isKept: true }
  // What the last writing of each line leaves.
  const screen = (await outputOf(true, steps, options)).join('').split('\n')
  const seen = screen.map(line => line.split('\r\u001b[2K').at(-1))
  expect(seen).toEqual(['stopping (2 s)', 'copying the data (3 s)', 'ready', ''])
  expect(await outputOf(false, steps, options)).toEqual(['stopping\n', 'copying the data\n', 'ready\n'])
})
