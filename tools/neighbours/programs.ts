import { spawnSync } from 'node:child_process'

/** Whether a program of Debian is installed here. */
export const isInstalled = (program: string): boolean =>
  spawnSync(program, [program === 'minisign' ? '-v' : '--version'], { stdio: 'ignore' }).error === undefined

/** The Python of Debian, which has the modules of Debian's packages. */
export const PYTHON = '/usr/bin/python3'
export const hasModule = (name: string): boolean => spawnSync(PYTHON, ['-c', `import ${name}`]).status === 0

/** @param input standard input */
export function run(program: string, args: string[], input?: Buffer): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...(input && { input }) })
  return { status, output: `${stdout}${stderr}` }
}
