import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

/**
 * `npm run simulate -- 20000 --seed 7` runs this number of attendance simulations, starting from the given seed or, by
 * default, a random one.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const count = Number(positionals[0] ?? 20_000)
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9))
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run simulate -- [COUNT] [--seed NUMBER]')
  process.exit(2)
}
console.log(`${count} schedules from seed ${seed} on`)
const child = spawn('vitest', ['run', 'src/features/attendance/outbox/simulation.test.ts'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, SIMULATE_COUNT: String(count), SIMULATE_SEED: String(seed) },
})
child.on('close', code => {
  process.exitCode = code ?? 1
})
