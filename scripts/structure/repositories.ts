import type { ESTree } from 'vite'
import { isTest, nodesOf, type SourceFile, syntaxOf, type Violation } from './source-files.ts'

const HERE = 'scripts/structure/repositories.ts'
const ROUTES = /^server\/features\/[\w-]+\/(?:[\w-]+-)?routes\.ts$/
const SERVICE = /^server\/features\/[\w-]+\/(?:[\w-]+-)?service\.ts$/
const REPOSITORY = /^server\/features\/[\w-]+\/(?:[\w-]+-)?repository\.ts$/
const FROM_REPOSITORY = /^(?:\.|#server\/features\/[\w-]+)\/(?:[\w-]+-)?repository\.ts$/

/** What a function of a repository may begin with. */
const VERBS = [
  'find',
  'list',
  'count',
  'has',
  'is',
  'lock',
  'insert',
  'update',
  'upsert',
  'save',
  'delete',
  // Several rows in one statement, as the domain calls it.
  'take',
  'consume',
  'claim',
  'confirm',
  'mark',
  'end',
  'cancel',
  'withdraw',
  'promote',
  'move',
  'fill',
  'write',
  'raise',
  'touch',
  'snapshot',
  'read',
]

/** They ask for no row: they make the SQL, or the values, of those that do. */
const HELPERS = [
  'nameClashes',
  'withoutNames',
  'makeRoom',
  'columnsOf',
  'chainHash',
  'resizePicture',
  'hashContent',
  'toCounters',
]

/** Calls that no function of a repository is named after, and why. */
const OTHERWISE: Record<string, string> = {
  logout: 'a session ends',
  login: 'a session begins, for a device that may be known',
  startPasskey: 'a challenge is what it starts with',
  resetPassword: 'a password is mailed to whom the login knows',
  endOtherSessions: 'the devices of these sessions are forgotten',
  getToday: 'the desk reads several lists at once',
  getCourseCalendar: 'a calendar is made of lessons',
  exportPersonalData: 'all that there is about a person, part by part',
  checkEmailPassword: 'what a form needs to know of others',
  register: 'a registration is a claim until its link is opened',
  resendEmail: 'the mail of a registration goes to its account',
  getWebUser: 'a web user is an account with its profile',
  editWebUser: 'a web user is an account with its profile',
}

type Node = ESTree.Node

/** `list`, `Booked`, `Course`, `Ids` as they are compared: small, in the singular. */
const wordsOf = (name: string) =>
  (name.match(/^[a-z]+|[A-Z][a-z]*/g) ?? []).map(word => word.toLowerCase().replace(/s$/, ''))

const isOneWord = (a: string, b: string) => a.length > 2 && b.length > 2 && (a.startsWith(b) || b.startsWith(a))

/** Whether a function of a repository says what the call is about: one of its words behind the verb. */
const isNamedAfter = (name: string, call: string): boolean =>
  wordsOf(name)
    .slice(1)
    .some(word => wordsOf(call).some(other => isOneWord(word, other)))

function* functionsOf({ program }: ReturnType<typeof syntaxOf>): Generator<string> {
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    if (declaration?.type === 'FunctionDeclaration' && declaration.id) yield declaration.id.name
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression') yield id.name
  }
}

const verbProblems = (file: SourceFile): Violation[] =>
  [...functionsOf(syntaxOf(file))]
    .filter(name => !VERBS.includes(/^[a-z]+/.exec(name)?.[0] ?? '') && !HELPERS.includes(name))
    .map(name => `${file.path}: ${name}: a repository finds, lists, inserts, updates, deletes (${HERE})`)

/** What a file calls of repositories within a node. */
function askedIn(node: Node, file: SourceFile): string[] {
  const imported = syntaxOf(file).module.staticImports.flatMap(({ moduleRequest, entries }) =>
    FROM_REPOSITORY.test(moduleRequest.value)
      ? entries.filter(({ isType }) => !isType).map(({ localName }) => localName.value)
      : [],
  )
  return nodesOf(node).flatMap(part =>
    part.type === 'CallExpression' && part.callee.type === 'Identifier' && imported.includes(part.callee.name)
      ? [part.callee.name]
      : [],
  )
}

const nameOf = (node: Node | undefined): string =>
  node?.type === 'MemberExpression' && node.property.type === 'Identifier'
    ? node.property.name
    : node?.type === 'Identifier'
      ? node.name
      : ''

/** Each call of the contract with its handler in the routes. */
function* mountedIn(file: SourceFile): Generator<[call: string, handler: Node]> {
  for (const node of nodesOf(file)) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue
    const [endpoint, handler] = node.arguments
    if (nameOf(node.callee) === 'mount' && handler) yield [nameOf(endpoint), handler]
  }
}

/** The functions of a service by their names, at its top or in the object that it makes. */
function* namedIn(file: SourceFile): Generator<[name: string, body: Node]> {
  for (const node of nodesOf(file)) {
    if (node.type === 'FunctionDeclaration' && node.id) yield [node.id.name, node]
    if (node.type === 'VariableDeclarator' && node.init?.type === 'ArrowFunctionExpression')
      yield [nameOf(node.id as Node), node.init]
    if (node.type === 'Property' && /Function/.test(node.value.type)) yield [nameOf(node.key), node.value]
  }
}

/** Repositories speak with fixed verbs, and what they do for a call is named after it: contract, app, routes, service, repository. */
export function checkRepositories(files: SourceFile[]): Violation[] {
  const own = files.filter(({ path }) => !isTest(path))
  const routes = own.filter(({ path }) => ROUTES.test(path))
  const asked = new Map<string, string[]>()
  for (const file of routes)
    for (const [call, handler] of mountedIn(file))
      asked.set(call, [...(asked.get(call) ?? []), ...askedIn(handler, file)])
  for (const file of own.filter(({ path }) => SERVICE.test(path)))
    for (const [name, body] of namedIn(file)) asked.get(name)?.push(...askedIn(body, file))
  const strange = [...asked].filter(
    ([call, names]) => names.length > 0 && !names.some(name => isNamedAfter(name, call)),
  )
  return [
    ...own.filter(({ path }) => REPOSITORY.test(path)).flatMap(verbProblems),
    ...strange
      .filter(([call]) => !Object.hasOwn(OTHERWISE, call))
      .map(([call, names]) => `server: no repository says what ${call} is about: ${[...new Set(names)].join(', ')}`),
    ...(files.some(({ path }) => path === HERE) ? Object.keys(OTHERWISE) : [])
      .filter(call => !strange.some(([name]) => name === call))
      .map(call => `${HERE}: nothing needs the exception ${call}`),
  ]
}
