import { isCode, isTest, nodesOf, type SourceFile, type Violation } from './source-files.ts'

/** Casts in 1,000 lines that a side may have. */
const BUDGETS: Record<string, number> = { contract: 1.3, src: 1.2, server: 1.3 }
/** Below this a side is judged as if it had so many lines. */
const LEAST_LINES = 1_000

/** Code that ships, without descriptions of types. */
export const isShipped = (path: string): boolean => isCode(path) && !isTest(path) && !path.endsWith('.d.ts')

/** How often a file claims a type in place of proving it: `as`, `<T>`, `!`. `as const` proves. */
export const countCasts = (file: SourceFile): number =>
  nodesOf(file).filter(
    node =>
      (node.type === 'TSAsExpression' || node.type === 'TSTypeAssertion' || node.type === 'TSNonNullExpression') &&
      !('typeAnnotation' in node && file.text.slice(node.typeAnnotation.start, node.typeAnnotation.end) === 'const'),
  ).length

export const countAny = (file: SourceFile): number => nodesOf(file).filter(({ type }) => type === 'TSAnyKeyword').length

/** Sides with more casts than they may have, and files that know `any`. */
export function checkCasts(files: SourceFile[]): Violation[] {
  const shipped = files.filter(({ path }) => isShipped(path))
  const over = Object.entries(BUDGETS).flatMap(([side, budget]) => {
    const own = shipped.filter(({ path }) => path.startsWith(`${side}/`))
    const casts = own.reduce((sum, file) => sum + countCasts(file), 0)
    const lines = own.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
    const most = Math.floor((Math.max(lines, LEAST_LINES) * budget) / 1_000)
    return casts > most
      ? [
          `${side}: ${casts} casts, at most ${most} for its size: prove the type (contract/records.ts, a guard, valibot)`,
        ]
      : []
  })
  const isOurs = ({ path }: SourceFile) => Object.keys(BUDGETS).some(side => path.startsWith(`${side}/`))
  return [...over, ...shipped.filter(file => isOurs(file) && countAny(file) > 0).map(({ path }) => `${path}: says any`)]
}
