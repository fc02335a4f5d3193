// @module-tag extended
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { cleanUpAfterTests } from './clean-up.ts'

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A killed process keeps its id until its parent has read its exit status. */
const isRunning = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  return status !== null && !status.includes(') Z')
}

/** A test run with a child in a process group of its own, as the portals and databases of tests are. */
async function startRun(folder: string) {
  const program = `
    import { spawn } from 'node:child_process'
    import { cleanUpAfterThisProcess } from ${JSON.stringify(join(import.meta.dirname, 'clean-up.ts'))}
    cleanUpAfterThisProcess(${JSON.stringify(folder)})
    const child = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 0.1; done'], {
      detached: true, stdio: 'ignore', env: { ...process.env, DATA_DIR: ${JSON.stringify(join(folder, 'data'))} } })
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  const run = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: run.stdout }), 'line')
  return { run, child: Number(line) }
}

test.skipIf(process.platform !== 'linux').each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
  'a run that ends by %s leaves neither processes nor files behind',
  async signal => {
    const folder = await mkdtemp(join(tmpdir(), `portal-test-${process.pid}-`))
    await writeFile(join(folder, 'pages'), 'written by a test')
    const { run, child } = await startRun(folder)
    expect(await isRunning(child)).toBe(true)
    run.kill(signal)
    await once(run, 'exit')
    await expect.poll(() => exists(folder)).toBe(false)
    expect(await isRunning(child)).toBe(false)
  },
)

test.each(['', '/', '/tmp', 'portal-test-1-abcdef', join(tmpdir(), 'portal-test-')])(
  'only the folder of a test run is cleaned up, not "%s"',
  async path => {
    await expect(cleanUpAfterTests(path)).rejects.toThrow('is not a folder of a test run')
  },
)
