import branding from '../../branding/branding.json' with { type: 'json' }
import { isCode, isTest, type SourceFile, type Violation } from './source-files.ts'

/** Settings are read in one place; the tools around the portal have their own. */
const MAY_READ_ENVIRONMENT = /^server\/config\.ts$|^scripts\/|^e2e\/|^bench\/|^(?:vitest|playwright)\.config\.ts$/
const RULES = /\/(?:[\w-]+-)?(?:rules|policy)\.ts$/
const CLOCK = /new Date\(\s*\)|\bDate\.now\(|\bperformance\.now\(/
const WALL_CLOCK = /new Date\(\s*\)|\bDate\.now\(/
/** The app's own clock and zone are the portal's: two modules know them, the others are told. */
const APP = /^src\/(?!lib\/clock\.ts$)/
const DEVICE_ZONE = /\.(?:get(?:FullYear|Month|Date|Day|Hours|Minutes)|toLocale(?:Date|Time)String)\(/
const PURE = /^src\/.*\/(?:[\w-]+-)?model\.ts$/
const RENDERS = /^src\/.*\.tsx$/
const REMINDER = /\b(?:TODO|FIXME|XXX)\b/
/** SQL of the portal's features stands in their repositories, and in the acts of the desk, which say all of one change. */
const SQL_ELSEWHERE = /^server\/features\/(?!office\/acts\/)\w+\/(?!(?:[\w-]+-)?repository\.ts$|authenticate\.ts$)/

/** What an operator reads as the own name: in one file, and in what is taken from it. */
const SAYS_NAMES = /^(?:src|server|public)\/|^index\.html$|^vite\.config\.ts$/
const OPERATOR = new RegExp(`\\b(?:${[branding.portalName, branding.groupName].join('|')})\\b`)

/** A call of the app keeps the contract's name, unless it asks for one view of several (`{ query: … }`). */
const API = /^src\/features\/\w+\/api\.ts$/
const OTHER_NAME = /^export const (\w+) = (?:(?!^export const)[\s\S])*?\bcall\(\s*\w+\.(?!\1\b)\w+,(?!\s*\{ query)/m

type Rule = { files: (path: string) => boolean; broken: RegExp; reason: string }

const rules: Rule[] = [
  {
    files: path => isCode(path) && !isTest(path) && !MAY_READ_ENVIRONMENT.test(path),
    broken: /\bprocess\.env\b/,
    reason: 'reads process.env, which only server/config.ts does',
  },
  { files: path => RULES.test(path), broken: CLOCK, reason: 'asks a clock: time is an argument of rules' },
  {
    files: path => APP.test(path) && isCode(path) && !isTest(path),
    broken: WALL_CLOCK,
    reason: 'asks a clock of its own: lib/clock.ts is the one',
  },
  {
    files: path => (PURE.test(path) || RENDERS.test(path)) && !isTest(path),
    broken: /from '#lib\/clock\.ts'/,
    reason: 'asks the clock: time is an argument of models, and lib/use-now.ts tells what is shown',
  },
  {
    files: path => path.startsWith('src/') && isCode(path) && !isTest(path),
    broken: DEVICE_ZONE,
    reason: 'speaks in the zone of the device: lib/portal-time.ts has the portal’s',
  },
  {
    files: path => /\.(?:tsx?|mjs|css|sql|html)$/.test(path),
    broken: REMINDER,
    reason: 'has something left to do',
  },
  {
    files: path => isCode(path) && !isTest(path) && SQL_ELSEWHERE.test(path),
    broken: /\bsql`/,
    reason: 'holds SQL, which belongs into repository.ts',
  },
  {
    files: path => /^src\/(?:features|components|app)\//.test(path) && !isTest(path),
    broken: /\bfetch\(/,
    reason: 'calls fetch: use the endpoints through lib/api-client.ts',
  },
  {
    files: path => API.test(path),
    broken: OTHER_NAME,
    reason: 'calls an endpoint by another name than the contract',
  },
  {
    files: path => path.endsWith('.css'),
    broken: /(?<![\w-])(?:font|font-size|line-height)\s*:[^;}]*\dpx/,
    reason: 'sets the size of text in px, which no setting of the reader changes: use rem',
  },
  {
    files: path => SAYS_NAMES.test(path) && !isTest(path),
    broken: OPERATOR,
    reason: 'holds a name of the operator: branding/branding.json has it',
  },
  {
    files: path => isCode(path),
    broken: /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}/,
    reason: 'swallows an error without a word',
  },
]

/** These rules and their test hold what they look for. */
const isOwn = (path: string) => path.startsWith('scripts/structure')

/** What must not stand in a file. */
export const checkContents = (files: SourceFile[]): Violation[] =>
  files.flatMap(({ path, text }) =>
    rules.flatMap(({ files: concerns, broken, reason }) =>
      concerns(path) && !isOwn(path) && broken.test(text) ? [`${path}: ${reason}`] : [],
    ),
  )
