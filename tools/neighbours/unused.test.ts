import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from './programs.ts'

const KNIP = join(import.meta.dirname, 'node_modules/knip/bin/knip.js')

test('Knip finds no unused file, dependency or export', { timeout: 180_000 }, () => {
  const { status, output } = run(process.execPath, [KNIP, '--no-progress', '--no-config-hints'])
  expect(output).toBe('')
  expect(status).toBe(0)
})
