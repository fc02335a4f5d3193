import { type Import, importsOf, isCode, isTest, type SourceFile, type Violation } from './source-files.ts'

/** Allowed imports by folder. The first matching row applies. */
const TABLE: { files: RegExp; mayImport: RegExp; packages?: RegExp }[] = [
  { files: /^contract\//, mayImport: /^contract\//, packages: /^valibot$/ },
  { files: /^src\/lib\//, mayImport: /^(?:contract|src\/lib)\// },
  { files: /^src\/ui\//, mayImport: /^(?:contract\/words\.ts|src\/(?:lib|ui)\/)/ },
  {
    files: /^src\/features\/attendance\/outbox\//,
    mayImport: /^(?:contract|src\/lib|src\/features\/attendance\/outbox)\//,
    packages: /^valibot$/,
  },
  { files: /^src\/features\//, mayImport: /^(?:contract|src\/(?:lib|ui|features))\// },
  {
    files: /^src\/sw\//,
    mayImport:
      /^(?:contract|src\/lib|src\/sw)\/|^src\/features\/\w+\/(?:(?:[\w-]+-)?(?:api|model)|outbox\/[\w-]+)\.ts$/,
    packages: /^(?!react|zustand|@mantine)/,
  },
  { files: /^src\/i18n\//, mayImport: /^(?:contract|src\/lib|src\/i18n)\// },
  { files: /^src\//, mayImport: /^(?:contract|src)\/(?!sw\/|test\/)|^package\.json$/ },
  {
    // The office and the import share the code that writes the programme.
    files: /^server\/features\/office(?:-\w+)?\//,
    mayImport:
      /^(?:contract|server\/(?:db|http|throttle|texts|holidays|lessons|mail|queue|pdf|features|import))\/|^server\/(?:config|runtime\/(?:context|data-files))\.ts$/,
  },
  {
    files: /^server\/features\//,
    mayImport:
      /^(?:contract|server\/(?:db|http|throttle|texts|holidays|lessons|mail|queue|pdf|features))\/|^server\/import\/write\/courses\.ts$|^server\/(?:config|runtime\/context)\.ts$/,
  },
  {
    files: /^server\/http\//,
    mayImport:
      /^(?:contract|server\/(?:db|http|metrics|texts))\/|^server\/(?:config|runtime\/context|errors\/[\w-]+|traces\/trace)\.ts$/,
  },
  // The embedded database is independent of the portal.
  { files: /^server\/postgres\//, mayImport: /^server\/(?:postgres\/|errors\/|runtime\/data-files\.ts$)/ },
  {
    files: /^server\/db\//,
    mayImport: /^(?:contract|server\/(?:db|postgres))\/|^server\/(?:config|errors\/[\w-]+|traces\/trace)\.ts$/,
  },
  { files: /^server\/throttle\//, mayImport: /^server\/(?:throttle|db|http)\/|^server\/runtime\/context\.ts$/ },
  { files: /^server\/(?:texts|holidays)\//, mayImport: /^(?:contract|server\/(?:texts|holidays))\// },
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

const featureOf = (path: string) => /^(src|server)\/features\/([\w-]+)\//.exec(path)

/** Public modules of an app feature; src/app composes the screens of several features. */
const CLIENT_PUBLIC = /\/(?:(?:[\w-]+-)?(?:store|resource|model)\.ts|components\/[\w-]+\.tsx)$/
const SERVER_PUBLIC = /\/(?:[\w-]+-)?(?:service|rules|repository)\.ts$/
/** Act handlers, which only the table of all handlers may import. */
const ACT_HANDLERS = /\/acts\/[\w-]+\.ts$/

/** Internal modules of the attendance outbox; its public modules are all others of the folder. */
const OUTBOX = /\/attendance\/outbox\//
const OUTBOX_INTERNAL = /\/outbox\/pending-entries\.ts$/

function importProblem(path: string, { target, isPackage }: Import): string | null {
  const row = TABLE.find(({ files }) => files.test(path))
  if (!row) return null
  if (isPackage) return row.packages && !row.packages.test(target) ? `may not import the package ${target}` : null
  if (!row.mayImport.test(target)) return `may not import ${target}`
  if (OUTBOX_INTERNAL.test(target) && !OUTBOX.test(path)) return `may not import the internal module ${target}`
  const [own, other] = [featureOf(path), featureOf(target)]
  if (!own || !other || own[2] === other[2]) return null
  // Screens of the office-… features are rendered inside the frame of `office`.
  if (own[1] === 'src' && own[2]?.startsWith(`${other[2]}-`)) return null
  if (path === 'server/office/acts/handlers.ts' && ACT_HANDLERS.test(target)) return null
  const isPublic = own[1] === 'src' ? CLIENT_PUBLIC : SERVER_PUBLIC
  return isPublic.test(target)
    ? null
    : `may use the feature ${other[2]} only through its ${own[1] === 'src' ? 'store.ts, resource.ts, model.ts or a component' : 'service.ts, rules.ts or repository.ts'}, not ${target}`
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

/** Finds import cycles between features, including type-only imports. */
export function checkFeatureCycles(files: SourceFile[]): Violation[] {
  const graph: Graph = new Map()
  for (const file of files.filter(({ path }) => isCode(path) && !isTest(path))) {
    const own = featureOf(file.path)?.[0]
    if (!own) continue
    const used = importsOf(file).flatMap(({ target }) => featureOf(target)?.[0] ?? [])
    graph.set(own, new Set([...(graph.get(own) ?? []), ...used.filter(other => other !== own)]))
  }
  return findCircles(graph).map(circle => `${circle[0]}: knows itself in a circle of features: ${circle.join(' → ')}`)
}
