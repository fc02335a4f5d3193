import { type Import, importsOf, isCode, isTest, type SourceFile, type Violation } from './source-files.ts'

type Row = { files: RegExp; mayImport: RegExp; packages?: RegExp }

/** Rows for layers from the bottom up: a layer may import the contract, itself and the layers below it. */
const layers = (side: 'src' | 'server', names: string[]): Row[] =>
  names.map((name, index) => ({
    files: new RegExp(`^${side}/${name}/`),
    mayImport: new RegExp(`^(?:contract|${side}/(?:${names.slice(0, index + 1).join('|')}))/`),
  }))

/** Allowed imports by folder. The first matching row applies. */
const TABLE: Row[] = [
  { files: /^contract\//, mayImport: /^contract\//, packages: /^valibot$/ },
  { files: /^src\/ui\//, mayImport: /^(?:contract\/words\.ts|src\/(?:lib|ui)\/)/ },
  {
    files: /^src\/features\/attendance\/outbox\//,
    mayImport: /^(?:contract|src\/lib|src\/features\/attendance\/outbox)\//,
    packages: /^valibot$/,
  },
  {
    files: /^src\/sw\//,
    mayImport:
      /^(?:contract|src\/lib|src\/sw)\/|^src\/features\/\w+\/(?:(?:[\w-]+-)?(?:api|model)|outbox\/[\w-]+)\.ts$/,
    packages: /^(?!react|zustand|@mantine)/,
  },
  { files: /^src\/i18n\//, mayImport: /^(?:contract|src\/lib|src\/i18n)\// },
  ...layers('src', ['lib', 'ui', 'features', 'i18n', 'app', 'office']),
  { files: /^src\//, mayImport: /^(?:contract|src)\/(?!sw\/|test\/)|^package\.json$/ },
  // The embedded database is independent of the portal.
  { files: /^server\/platform\/postgres\//, mayImport: /^server\/platform\/(?:postgres|process)\// },
  ...layers('server', ['platform', 'features', 'office', 'identity', 'operations']),
  { files: /^server\//, mayImport: /^(?:contract|server)\/(?!test\/)/ },
  {
    files: /^(?:e2e|tools\/bench)\//,
    // Servers used by tests: a mail server, fault-injecting proxies.
    mayImport: /^(?:contract|e2e|tools\/bench)\/|^playwright\.config\.ts$|^server\/test\//,
  },
  { files: /^tools\/structure\//, mayImport: /^(?:branding|contract|tools\/structure)\// },
  {
    files: /^scripts\//,
    mayImport:
      /^(?:branding|contract|server|scripts)\/|^tools\/structure\/structure\.ts$|^src\/test\/|^e2e\/(?:browsers|portal|import-steps|screen-steps)\.ts$|^src\/(?:lib\/password-meter\.ts|app\/pwa\/[\w.]+\.json|i18n\/de\/\w+\.json)$/,
  },
]

/** A room is a folder of a layer: a feature, a noun of the desk, a part of the platform. */
const roomOf = (path: string) => /^(src|server)\/(platform|features|office|identity)\/(?:([\w-]+)\/)/.exec(path)

/** Public modules of an app feature; src/app composes the screens of several features. */
const CLIENT_PUBLIC = /\/(?:(?:[\w-]+-)?(?:store|resource|model)\.ts|(?:components|search|week)\/[\w-]+\.tsx?)$/
const SERVER_PUBLIC = /\/(?:[\w-]+-)?(?:service|rules|repository)\.ts$/
/** Act handlers, which only the table of all handlers may import. */
const ACT_HANDLERS = /\/acts\/[\w-]+\.ts$/
/** Rooms and modules named by what they do, for all layers above and for the other rooms. */
const OPEN =
  /^server\/(?:platform|features\/(?:programme|files))\/|^server\/features\/session\/passwords\.ts$|^src\/office\/frame\//
/** What composes the screens of several rooms. */
const COMPOSES = /^src\/office\/shell\//

/** Internal modules of the attendance outbox; its public modules are all others of the folder. */
const OUTBOX = /\/attendance\/outbox\//
const OUTBOX_INTERNAL = /\/outbox\/pending-entries\.ts$/

function importProblem(path: string, { target, isPackage }: Import): string | null {
  const row = TABLE.find(({ files }) => files.test(path))
  if (!row) return null
  if (isPackage) return row.packages && !row.packages.test(target) ? `may not import the package ${target}` : null
  if (!row.mayImport.test(target)) return `may not import ${target}`
  if (OUTBOX_INTERNAL.test(target) && !OUTBOX.test(path)) return `may not import the internal module ${target}`
  const [own, other] = [roomOf(path), roomOf(target)]
  if (!own || !other || own[0] === other[0] || OPEN.test(target) || COMPOSES.test(path)) return null
  if (path === 'server/office/acts/handlers.ts' && ACT_HANDLERS.test(target)) return null
  const isPublic = own[1] === 'src' ? CLIENT_PUBLIC : SERVER_PUBLIC
  return isPublic.test(target)
    ? null
    : `may use ${other[0]} only through its ${own[1] === 'src' ? 'store.ts, resource.ts, model.ts or a component' : 'service.ts, rules.ts or repository.ts'}, not ${target}`
}

/** Checks imports against the table. Tests may import what they need for setup. */
export const checkImports = (files: SourceFile[]): Violation[] =>
  files
    .filter(({ path }) => isCode(path) && (!isTest(path) || path.startsWith('e2e/')))
    .flatMap(file =>
      importsOf(file).flatMap(used => {
        const problem = importProblem(file.path, used)
        return problem ? [`${file.path}: ${problem}`] : []
      }),
    )

type Graph = Map<string, Set<string>>

/** Finds the cycles of a graph, each as its path. */
function findCircles(graph: Graph): string[][] {
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (node: string, trail: string[]) => {
    const start = trail.indexOf(node)
    if (start >= 0) found.push([...trail.slice(start), node])
    if (start >= 0 || done.has(node)) return
    for (const target of graph.get(node) ?? []) visit(target, [...trail, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return found
}

/** Finds import cycles between files, including type-only imports. */
export function checkCycles(files: SourceFile[]): Violation[] {
  const targetsOf = (file: SourceFile) => importsOf(file).filter(used => !used.isPackage)
  const graph: Graph = new Map(
    files
      .filter(({ path }) => isCode(path))
      .map(file => [file.path, new Set(targetsOf(file).map(({ target }) => target))]),
  )
  return findCircles(graph).map(circle => `${circle[0]}: imports itself in a circle: ${circle.join(' → ')}`)
}

/** Finds import cycles between rooms, including type-only imports. */
export function checkRoomCycles(files: SourceFile[]): Violation[] {
  const graph: Graph = new Map()
  for (const file of files.filter(({ path }) => isCode(path) && !isTest(path))) {
    const own = roomOf(file.path)?.[0]
    if (!own) continue
    const used = importsOf(file).flatMap(({ target }) => roomOf(target)?.[0] ?? [])
    graph.set(own, new Set([...(graph.get(own) ?? []), ...used.filter(other => other !== own)]))
  }
  return findCircles(graph).map(circle => `${circle[0]}: knows itself in a circle of rooms: ${circle.join(' → ')}`)
}
