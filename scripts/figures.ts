import { join } from 'node:path'
import { countAny, countCasts, isShipped } from './structure/casts.ts'
import { isCode, isTest, nodesOf, readSourceFiles, type SourceFile, syntaxOf } from './structure/source-files.ts'

/**
 * The house in figures: `npx node scripts/figures.ts` prints the table of docs/house.md, of another checkout with its path. Counted is code without tests and
 * descriptions of types; of functions those with a body in braces; of casts all but `as const`.
 */
const ROOMS = ['contract', 'src', 'server']
const SUPPRESSION = /biome-ignore|@ts-(?:ignore|expect-error|nocheck)/g

const linesOf = (text: string) => text.split('\n').length - 1
const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)

/** The number below which a share of all lies. */
function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const functionLengths = (file: SourceFile): number[] =>
  nodesOf(file).flatMap(node =>
    (node.type === 'FunctionDeclaration' ||
      node.type === 'FunctionExpression' ||
      node.type === 'ArrowFunctionExpression') &&
    node.body?.type === 'BlockStatement'
      ? [linesOf(`${file.text.slice(node.start, node.end)}\n`)]
      : [],
  )

const commentLinesOf = (file: SourceFile): number =>
  sum(syntaxOf(file).comments.map(({ start, end }) => linesOf(`${file.text.slice(start, end)}\n`)))

function rowOf(name: string, files: SourceFile[]): string {
  const code = files.filter(({ path }) => isShipped(path))
  const tests = files.filter(({ path }) => isTest(path) && isCode(path))
  const lengths = code.map(({ text }) => linesOf(text))
  const functions = code.flatMap(functionLengths)
  const all = sum(lengths)
  const per = (count: number, of: number) => ((count / all) * of).toFixed(1)
  const cells = [
    name,
    code.length,
    quantile(lengths, 0.5),
    quantile(lengths, 0.9),
    quantile(lengths, 1),
    `${Math.round((lengths.filter(length => length <= 20).length / code.length) * 100)} %`,
    `${quantile(functions, 0.5)} / ${quantile(functions, 0.9)} / ${quantile(functions, 1)}`,
    ((sum(code.map(countCasts)) / all) * 1000).toFixed(2),
    sum(code.map(countAny)),
    sum(code.map(({ text }) => text.match(SUPPRESSION)?.length ?? 0)),
    per(sum(code.map(commentLinesOf)), 100),
    (sum(tests.map(({ text }) => linesOf(text))) / all).toFixed(2),
  ]
  return `| ${cells.join(' | ')} |`
}

const files = await readSourceFiles(process.argv[2] ?? join(import.meta.dirname, '..'))
const inRooms = (rooms: string[]) => files.filter(({ path }) => rooms.some(room => path.startsWith(`${room}/`)))
console.log(
  '| | files | median | p90 | max | ≤ 20 lines | function median / p90 / max | casts per 1,000 | `any` | suppressions | comments per 100 | test : code lines |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|---|')
console.log(rowOf('all three', inRooms(ROOMS)))
for (const room of ROOMS) console.log(rowOf(room, inRooms([room])))
const styles = files.filter(({ path }) => /^src\/.*\.module\.css$/.test(path))
console.log(`\nStylesheets of screens: ${styles.length} files, ${sum(styles.map(({ text }) => linesOf(text)))} lines.`)
