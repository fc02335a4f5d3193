import { readdir, readFile } from 'node:fs/promises'

const TICK_MS = 10

/** @returns null if the process does not exist */
async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  const nameEnd = text.lastIndexOf(')')
  const fields = text
    .slice(nameEnd + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]]
  return { pid, parent, name: text.slice(text.indexOf('(') + 1, nameEnd), ms: (user + system) * TICK_MS }
}

/** CPU time of a process, in ms. */
export async function processorMs(pid: number): Promise<number> {
  return (await statOf(pid))?.ms ?? 0
}

/** All processes of a portal: itself, its worker processes and embedded PostgreSQL. */
async function processesOf(pid: number) {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
  const all = (await Promise.all(pids.map(statOf))).filter(stat => stat !== null)
  const ours = new Set([pid])
  // Repeats until no child is added: process ids may wrap around, so a child may have a smaller one than its parent.
  for (let size = 0; size < ours.size; ) {
    size = ours.size
    for (const stat of all) if (ours.has(stat.parent)) ours.add(stat.pid)
  }
  return all.filter(stat => ours.has(stat.pid))
}

/** CPU time in ms of a portal including its worker processes and embedded PostgreSQL. */
export async function processorOf(pid: number): Promise<{ node: number; postgres: number }> {
  const spent = { node: 0, postgres: 0 }
  for (const { name, ms } of await processesOf(pid)) spent[/postgres/.test(name) ? 'postgres' : 'node'] += ms
  return spent
}

/** Memory in MB of a portal including its worker processes and embedded PostgreSQL; what they share is counted once. */
export async function proportionalMegabytesOf(pid: number): Promise<number> {
  const rollups = (await processesOf(pid)).map(one => readFile(`/proc/${one.pid}/smaps_rollup`, 'utf8').catch(() => ''))
  const kilobytes = (await Promise.all(rollups)).map(text => Number(/^Pss: +(\d+)/m.exec(text)?.[1] ?? 0))
  return kilobytes.reduce((sum, size) => sum + size, 0) / 1_024
}
