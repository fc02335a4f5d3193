import { spawn } from 'node:child_process'
import { checkStructure } from './structure.ts'

/** Runs one command of node_modules/.bin to its end. Resolves to nothing, or rejects with its output. */
const run = (command: string, ...args: string[]) =>
  new Promise<void>((resolve, reject) => {
    let output = ''
    const child = spawn(command, args, { shell: process.platform === 'win32' })
    child.stdout.on('data', chunk => {
      output += chunk
    })
    child.stderr.on('data', chunk => {
      output += chunk
    })
    child.on('error', reject)
    child.on('close', code => (code === 0 ? resolve() : reject(new Error(`${command} ${args.join(' ')}\n${output}`))))
  })

const results = await Promise.allSettled([
  ...['.', 'contract', 'src/sw', 'server', 'tsconfig.test.json'].map(project => run('tsc', '-p', project)),
  run('biome', 'ci', '--colors=off', '.'),
  checkStructure(),
])
const failures = results.filter(result => result.status === 'rejected')
for (const { reason } of failures) console.error(reason instanceof Error ? reason.message : reason)
process.exitCode = failures.length === 0 ? 0 : 1
