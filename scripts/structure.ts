import { join } from 'node:path'
import { checkCalls } from './structure/calls.ts'
import { checkCasts } from './structure/casts.ts'
import { checkClasses } from './structure/classes.ts'
import { checkContents } from './structure/contents.ts'
import { checkGlossary } from './structure/glossary.ts'
import { checkCycles, checkFeatureCycles, checkImports } from './structure/imports.ts'
import { checkNames } from './structure/names.ts'
import { checkRepositories } from './structure/repositories.ts'
import { readSourceFiles, type SourceFile, type Violation } from './structure/source-files.ts'
import { checkStyles } from './structure/styles.ts'
import { checkLanguages, checkTextKeys } from './structure/texts.ts'
import { checkWaiting } from './structure/waiting.ts'

const checks = [
  checkNames,
  checkImports,
  checkCycles,
  checkFeatureCycles,
  checkContents,
  checkLanguages,
  checkTextKeys,
  checkGlossary,
  checkStyles,
  checkClasses,
  checkCasts,
  checkCalls,
  checkRepositories,
  checkWaiting,
]

/** Everything in these files that breaks a rule of the house, as `path: reason`. */
export const findViolations = (files: SourceFile[]): Violation[] => checks.flatMap(check => check(files))

/** Checks the house: names, imports, cycles, contents, texts, words, casts, names of calls. @throws Error naming every file that breaks a rule */
export async function checkStructure(): Promise<void> {
  const violations = findViolations(await readSourceFiles(join(import.meta.dirname, '..')))
  if (violations.length > 0) throw new Error(`structure\n${violations.join('\n')}`)
}
