import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type EmbeddedOptions, openEmbeddedPostgres } from '#server/platform/postgres/embedded.ts'
import { stopPostmaster } from '#server/platform/postgres/postmaster.ts'
import { isProcessAlive } from '#server/platform/postgres/scratch-folder.ts'

export const isRoot = process.getuid?.() === 0
const childProgram = join(import.meta.dirname, 'cluster-child.ts')
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']

/** Whether tests can run as an ordinary user who can read this folder. */
export const canBeNobody = isRoot && succeeds([...nobody, process.execPath, '--check', childProgram])
export const canMapUsers = isRoot && succeeds(['unshare', '--user', '--map-user=65534', 'true'])
export const canMount = isRoot && succeeds(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'])

/** Creates folders for a test file. At the end, their servers are stopped and the folders removed. */
export function testFolders() {
  const folders: string[] = []
  const make = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'portal-cluster-'))
    await chmod(folder, 0o711)
    folders.push(folder)
    return folder
  }
  const remove = async () => {
    for (const folder of folders) {
      await stopPostmaster({ folder: join(folder, 'postgres') }).catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    }
  }
  return { make, remove }
}

export const open = (
  dataDir: string,
  role: EmbeddedOptions['role'] = 'portal',
  options: Partial<EmbeddedOptions> = {},
) => openEmbeddedPostgres({ dataDir, role, processLabel: `${role} in the test`, ...options })

/** Copies a stopped cluster, which is faster than creating one. */
export const copyCluster = async (from: string, to: string) => {
  await cp(join(from, 'postgres'), join(to, 'postgres'), { recursive: true })
}

export const readPostmasterPid = async (dataDir: string) =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '0'), 10)

export const isServerUp = async (dataDir: string) => {
  const pid = await readPostmasterPid(dataDir)
  // A killed process keeps its id until its parent has read its exit status.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return pid > 0 && isProcessAlive(pid) && !status.includes(') Z')
}

/** Starts cluster-child.ts as the leader of a process group. */
export function startChild(
  dataDir: string,
  role: EmbeddedOptions['role'],
  { label = 'child', before = [] as string[] } = {},
) {
  const [command = '', ...args] = [...before, process.execPath, childProgram, dataDir, role, label]
  const child = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: string[] = []
  const output = createInterface({ input: child.stdout })
  output.on('line', line => lines.push(line))
  const ended = once(output, 'close')
  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    firstLine: async (): Promise<string> => {
      if (lines.length === 0) await Promise.race([once(output, 'line'), ended])
      return lines[0] ?? 'ended without a word'
    },
    send: (line: 'write' | 'stop') => child.stdin.write(`${line}\n`),
    /**
     * Kills the whole process group with SIGKILL, as the system does when it is out of memory, and reads the rest of
     * the output.
     */
    async kill() {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
    },
  }
}

export const asNobody = { before: nobody }

function succeeds([command = '', ...args]: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}
