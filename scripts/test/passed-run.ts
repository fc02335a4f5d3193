import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Counts } from './counts.ts'

const root = join(import.meta.dirname, '../..')
const FILE = join(root, 'node_modules/.passed-tests.json')

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** Commit of the working tree; null if the tree has changes or is no checkout. */
function commitOfTree(): string | null {
  try {
    return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD') : null
  } catch {
    return null // without git, every run runs all stages
  }
}

/**
 * Counts of the last `npm test` if it passed on the present commit, so that `npm run test:all` runs the other stages only.
 * Null otherwise.
 */
export function findPassedRun(file = FILE, commit = commitOfTree()): Counts | null {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8'))
    return commit !== null && stored.commit === commit ? stored.counts : null
  } catch {
    return null // no run has passed, or the file was cut off: the tests run again
  }
}

/** Stores the counts of a run of `npm test`, or deletes those of an earlier one if this run failed. */
export function storePassedRun(counts: Counts, file = FILE, commit = commitOfTree()): void {
  if (commit === null || counts.failed > 0 || counts.passed === 0) rmSync(file, { force: true })
  else writeFileSync(file, JSON.stringify({ commit, counts }))
}
