import { spawn } from 'node:child_process'
import { checkStructure } from '../tools/structure/structure.ts'

/**
 * Runs a command from node_modules/.bin.
 * @throws Error with the output of the command
 */
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

const projects = ['.', 'contract', 'src/sw', 'server', 'tsconfig.test.json', 'tools']

/** File with incremental build information, which makes the next run twice as fast. */
const cacheOf = (project: string) => `node_modules/.cache/typecheck/${project.replace(/\W/g, '-')}.tsbuildinfo`

const stages: Record<string, () => Promise<void>[]> = {
  typecheck: () =>
    projects.map(project => run('tsc', '-p', project, '--incremental', '--tsBuildInfoFile', cacheOf(project))),
  lint: () => [run('biome', 'ci', '--colors=off', '.'), checkStructure()],
}

const chosen = process.argv.slice(2)
const startedAt = performance.now()
const names = chosen.length > 0 ? chosen : Object.keys(stages)
let failures = 0
const reportFailure = (reason: unknown) => {
  failures += 1
  console.error(reason instanceof Error ? reason.message : reason)
}
await Promise.all(names.flatMap(name => stages[name]?.() ?? []).map(stage => stage.catch(reportFailure)))
if (failures === 0)
  console.log(`${names.join(', ')}: no problems (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`)
process.exitCode = failures === 0 ? 0 : 1
