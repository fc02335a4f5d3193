import { spawnSync } from 'node:child_process'

/** Whether a program of Debian is installed here. */
export const isInstalled = (program: string): boolean =>
  spawnSync(program, [program === 'minisign' ? '-v' : '--version'], { stdio: 'ignore' }).error === undefined

/** @param input standard input */
export function run(program: string, args: string[], input?: Buffer): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...(input && { input }) })
  return { status, output: `${stdout}${stderr}` }
}
