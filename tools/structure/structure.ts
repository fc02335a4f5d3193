import { join } from 'node:path'
import { checkContents } from './contents.ts'
import { checkDates } from './dates.ts'
import { checkGlossary } from './glossary.ts'
import { checkCycles, checkImports, checkRoomCycles } from './imports.ts'
import { checkNames } from './names.ts'
import { readSourceFiles, type SourceFile, type Violation } from './source-files.ts'
import { checkClasses, checkStyles } from './styles.ts'
import { checkLanguages, checkTextKeys } from './texts.ts'

const checks = [
  checkNames,
  checkImports,
  checkCycles,
  checkRoomCycles,
  checkContents,
  checkDates,
  checkLanguages,
  checkTextKeys,
  checkGlossary,
  checkStyles,
  checkClasses,
]

/** Finds violations of the architecture rules in these files, as `path: reason`. */
export const findViolations = (files: SourceFile[]): Violation[] => checks.flatMap(check => check(files))

/** Checks file names, imports, cycles, forbidden code, texts, glossary and styles. @throws Error listing every violation */
export async function checkStructure(): Promise<void> {
  const violations = findViolations(await readSourceFiles(join(import.meta.dirname, '../..')))
  if (violations.length > 0) throw new Error(`structure\n${violations.join('\n')}`)
}
