import type { ESTree } from 'vite'
import { importsOf, isTest, nodesOf, type SourceFile, syntaxOf, type Violation } from './source-files.ts'

/** The app's side of a call, and the server's. */
const API = /^src\/features\/[\w-]+\/(?:[\w-]+-)?api\.ts$/
const ROUTES = /^server\/features\/([\w-]+)\/(?:[\w-]+-)?routes\.ts$/
const PASSED_ON = /\/(?:[\w-]+-)?service\.ts$/
/** What sends a call of the contract. */
const SENDERS = ['call', 'callOffice']

type Node = ESTree.Node
type Call = ESTree.CallExpression

const isCall = (node: Node): node is Call => node.type === 'CallExpression'
const callsIn = (node: Node): Call[] => nodesOf(node).filter(isCall)

/** `bookCourse` of `contract.bookCourse`, or of itself. */
const endpointOf = (node: Node | undefined): string | null => {
  if (node?.type === 'MemberExpression' && node.property.type === 'Identifier') return node.property.name
  return node?.type === 'Identifier' ? node.name : null
}

/** The functions and constants of a file's top, each with what it is made of. */
function* topOf(file: SourceFile): Generator<{ name: string; body: Node; isExported: boolean }> {
  for (const statement of syntaxOf(file).program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declaration = isExported ? statement.declaration : statement
    if (declaration?.type === 'FunctionDeclaration' && declaration.id)
      yield { name: declaration.id.name, body: declaration, isExported }
    if (declaration?.type !== 'VariableDeclaration') continue
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && init) yield { name: id.name, body: init, isExported }
  }
}

/** One view of several has a name of its own. */
const asksForAView = ([, parts]: Call['arguments']): boolean =>
  parts?.type === 'ObjectExpression' &&
  parts.properties.some(part => part.type === 'Property' && part.key.type === 'Identifier' && part.key.name === 'query')

/** A call of the app keeps the name that it has in the contract. */
function apiProblems(file: SourceFile): Violation[] {
  return [...topOf(file)].flatMap(({ name, body, isExported }) => {
    const sent = callsIn(body).filter(({ callee }) => callee.type === 'Identifier' && SENDERS.includes(callee.name))
    const named = sent.map(call => (asksForAView(call.arguments) ? name : endpointOf(call.arguments[0])))
    return isExported && sent.length > 0 && !named.includes(name)
      ? [`${file.path}: calls an endpoint by another name than the contract: ${name} sends ${named.join(', ')}`]
      : []
  })
}

/** What a file of routes has from services of its feature: functions, and the objects that are made of them. */
function serviceNames(file: SourceFile): Set<string> {
  const own = ROUTES.exec(file.path)?.[1] ?? ''
  const fromService = importsOf(file).some(({ target }) => PASSED_ON.test(target))
  if (!fromService) return new Set()
  const imported = syntaxOf(file).module.staticImports.flatMap(({ moduleRequest, entries }) =>
    /^\.\/(?:[\w-]+-)?service\.ts$/.test(moduleRequest.value)
      ? entries.filter(({ isType }) => !isType).map(({ localName }) => localName.value)
      : [],
  )
  const names = new Set(imported)
  for (const node of nodesOf(file)) {
    if (node.type !== 'VariableDeclarator' || node.init?.type !== 'CallExpression') continue
    const maker = endpointOf(node.init.callee)
    if (!maker?.startsWith('create') || !imported.includes(maker)) continue
    for (const part of nodesOf(node.id)) if (part.type === 'Identifier') names.add(part.name)
  }
  return own === '' ? new Set() : names
}

/** `db` of `db.bookings.list`. */
const rootOf = (node: Node): string | null =>
  node.type === 'MemberExpression' ? rootOf(node.object) : node.type === 'Identifier' ? node.name : null

/** What a handler waits for: its answer comes from there. */
const waitedFor = (handler: Node): Call[] =>
  nodesOf(handler).flatMap(node => {
    const source =
      node.type === 'AwaitExpression' || node.type === 'ReturnStatement'
        ? node.argument
        : node.type === 'ArrowFunctionExpression'
          ? node.body
          : null
    return source && isCall(source) ? [source] : []
  })

/** A call that the routes hand on to one function of a service has its name there, too. */
function routeProblems(file: SourceFile): Violation[] {
  const services = serviceNames(file)
  return nodesOf(file)
    .filter(isCall)
    .filter(({ callee }) => callee.type === 'MemberExpression' && endpointOf(callee) === 'mount')
    .flatMap(({ arguments: [endpoint, handler] }) => {
      const name = endpointOf(endpoint)
      if (!name || !handler) return []
      const asked = waitedFor(handler).filter(({ callee }) => services.has(rootOf(callee) ?? ''))
      const called = [...new Set(asked.map(({ callee }) => endpointOf(callee)))]
      return called.length === 1 && called[0] !== name
        ? [`${file.path}: hands ${name} on to ${called[0]}: one name from the contract to the service`]
        : []
    })
}

/** Calls keep one name: contract, app, routes, service. */
export const checkCalls = (files: SourceFile[]): Violation[] =>
  files
    .filter(({ path }) => !isTest(path))
    .flatMap(file => (API.test(file.path) ? apiProblems(file) : ROUTES.test(file.path) ? routeProblems(file) : []))
