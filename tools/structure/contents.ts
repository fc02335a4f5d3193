import type { ESTree } from 'vite'
import branding from '../../branding/branding.json' with { type: 'json' }
import { importsOf, isCode, isTest, nodesOf, type SourceFile, syntaxOf, type Violation } from './source-files.ts'

const RULES = /\/(?:[\w-]+-)?(?:rules|policy)\.ts$|^server\/(?:features|office|identity)\/.*\/(?:[\w-]+-)?model\.ts$/
/** Only two modules of the app may read clock and time zone; all others receive them. */
const APP = /^src\/(?!lib\/clock\.ts$)/
const PURE = /^src\/.*\/(?:[\w-]+-)?model\.ts$/
const RENDERS = /^src\/.*\.tsx$/
const REMINDER = /\b(?:TODO|FIXME|XXX)\b/
/** Matches files of server features and the desk other than repositories, which are the only files with SQL. */
const SQL_ELSEWHERE =
  /^server\/(?:features\/(?!programme\/)|office\/|identity\/)[\w-]+\/(?!(?:[\w-]+-)?repository\.ts$|authenticate\.ts$)/
const OF_THE_DEVICE = /^(?:get(?:FullYear|Month|Date|Day|Hours|Minutes)|toLocale(?:Date|Time)String)$/

/** Files that must not contain the operator's names: these belong in one file, and in what is derived from it. */
const SAYS_NAMES = /^(?:src|server|public)\/|^index\.html$|^vite\.config\.ts$/
const OPERATOR = new RegExp(`\\b(?:${[branding.portalName, branding.groupName].join('|')})\\b`)

type Node = ESTree.Node

/** Whether a file is shipped, that is, neither a test nor a type declaration. */
const isShipped = (path: string): boolean => isCode(path) && !isTest(path) && !path.endsWith('.d.ts')

/** Object and name of a function call, such as `Date.now()` or `day.getHours()`; null for any other node. */
function calledName(node: Node): { object: string | null; name: string } | null {
  if (node.type !== 'CallExpression') return null
  if (node.callee.type === 'Identifier') return { object: null, name: node.callee.name }
  if (node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier') return null
  const { object, property } = node.callee
  return { object: object.type === 'Identifier' ? object.name : '', name: property.name }
}

const asksTheDay = (node: Node): boolean => {
  if (node.type === 'NewExpression')
    return node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0
  const called = calledName(node)
  return called?.object === 'Date' && called.name === 'now'
}

const asksAClock = (node: Node): boolean => {
  const called = calledName(node)
  return asksTheDay(node) || (called?.object === 'performance' && called.name === 'now')
}

const holdsSql = ({ type, ...node }: Node): boolean =>
  type === 'TaggedTemplateExpression' && 'tag' in node && node.tag.type === 'Identifier' && node.tag.name === 'sql'

/** Error handlers: catch clauses, and functions passed to `.catch()` or as second argument of `.then()`. */
function errorHandler(node: Node): { parameter: Node | undefined; body: Node } | null {
  if (node.type === 'CatchClause') return { parameter: node.param ?? undefined, body: node.body }
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null
  const { name } = calledName(node) ?? {}
  const handler = name === 'catch' ? node.arguments[0] : name === 'then' ? node.arguments[1] : undefined
  if (handler?.type !== 'ArrowFunctionExpression' || !handler.body) return null
  return { parameter: handler.params[0], body: handler.body }
}

/**
 * Whether an error handler swallows errors: it neither uses nor rethrows them, and no comment in the statement or the
 * line above explains why.
 */
function swallows(node: Node, file: SourceFile): boolean {
  const handler = errorHandler(node)
  if (!handler) return false
  const inside = nodesOf(handler.body)
  const names = handler.parameter ? nodesOf(handler.parameter).flatMap(one => ('name' in one ? [one.name] : [])) : []
  if (inside.some(one => one.type === 'ThrowStatement' || ('name' in one && names.includes(one.name)))) return false
  const holds = (one: Node) => one.start <= node.start && node.end <= one.end
  const around = nodesOf(file).filter(one => /Statement$|Declaration$/.test(one.type) && holds(one))
  const start = node.type === 'CatchClause' ? node.start : (around.at(-1)?.start ?? node.start)
  const lineAt = (position: number) => file.text.slice(0, position).split('\n').length
  const [first, last] = [lineAt(start) - 1, lineAt(node.end)]
  return !syntaxOf(file).comments.some(({ end }) => lineAt(end) >= first && lineAt(end) <= last)
}

const isLiteral = (node: Node): boolean =>
  node.type === 'ParenthesizedExpression' || node.type === 'TSAsExpression'
    ? isLiteral(node.expression)
    : node.type === 'ObjectExpression' || node.type === 'ArrayExpression'

/** Whether an object literal spreads another one, as in `{ ...{ a, b } }`, which only affects formatting. */
const spreadsALiteral = (node: Node): boolean =>
  (node.type === 'SpreadElement' || node.type === 'JSXSpreadAttribute') && isLiteral(node.argument)

/** Whether a top-level statement has side effects, such as `store.subscribe(…)`. */
const actsAtImport = (node: Node): boolean =>
  node.type === 'Program' && node.body.some(one => one.type === 'ExpressionStatement' && !one.directive)

type Rule = { files: (path: string) => boolean; reason: string } & (
  | { node: (node: Node, file: SourceFile) => boolean }
  | { imports: string }
  | { text: RegExp }
)

const rules: Rule[] = [
  {
    files: path => RULES.test(path),
    node: asksAClock,
    reason: 'asks a clock: time is an argument of rules and models',
  },
  {
    files: path => APP.test(path) && isCode(path) && !isTest(path),
    node: asksTheDay,
    reason: 'asks a clock of its own: lib/clock.ts is the one',
  },
  {
    files: path => (PURE.test(path) || RENDERS.test(path)) && !isTest(path),
    imports: 'src/lib/clock.ts',
    reason: 'asks the clock: time is an argument of models, and lib/use-now.ts tells what is shown',
  },
  {
    files: path => path.startsWith('src/') && isCode(path) && !isTest(path),
    node: node => OF_THE_DEVICE.test(calledName(node)?.name ?? ''),
    reason: 'speaks in the zone of the device: lib/format.ts has the portal’s',
  },
  {
    files: isCode,
    node: spreadsALiteral,
    reason: 'spreads what is written there: write its parts',
  },
  {
    files: path =>
      isShipped(path) && /^src\/(?:lib|ui|features|office\/(?!shell\/)[\w-]+)\/(?!.*-worker\.ts$)/.test(path),
    node: actsAtImport,
    reason: 'acts when it is imported: what starts is called by src/app/start.ts or by who uses it',
  },
  {
    files: path => isCode(path) && !isTest(path) && SQL_ELSEWHERE.test(path),
    node: holdsSql,
    reason: 'holds SQL, which belongs into repository.ts',
  },
  {
    files: path => isShipped(path) && /^(?:src|server|contract)\//.test(path),
    node: swallows,
    reason: 'swallows an error without a word: use it, or say in a comment why nothing is done',
  },
  {
    files: path => /\.(?:tsx?|mjs|css|sql|html)$/.test(path),
    text: REMINDER,
    reason: 'has something left to do',
  },
  {
    files: path => path.endsWith('.css'),
    text: /(?<![\w-])(?:font|font-size|line-height)\s*:[^;}]*\dpx/,
    reason: 'sets the size of text in px, which no setting of the reader changes: use rem',
  },
  {
    files: path => SAYS_NAMES.test(path) && !isTest(path),
    text: OPERATOR,
    reason: 'holds a name of the operator: branding/branding.json has it',
  },
]

/** These rules and their tests contain the forbidden patterns themselves. */
const isOwn = (path: string) => path.startsWith('tools/structure/')

function breaks(file: SourceFile, rule: Rule): boolean {
  if ('text' in rule) return rule.text.test(file.text)
  if ('imports' in rule) return importsOf(file).some(({ target }) => target === rule.imports)
  return nodesOf(file).some(node => rule.node(node, file))
}

/** Forbidden code. What Biome can detect (process.env, fetch) is configured in biome.json. */
export const checkContents = (files: SourceFile[]): Violation[] =>
  files.flatMap(file =>
    rules
      .filter(rule => rule.files(file.path) && !isOwn(file.path) && breaks(file, rule))
      .map(({ reason }) => `${file.path}: ${reason}`),
  )
