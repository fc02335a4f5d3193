import { readdir, readFile } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'
import { type ESTree, parseSync } from 'vite'

/** A tracked file: path from the root with forward slashes, text (empty for binary files). */
export type SourceFile = { path: string; text: string }

/** A violation, as `path: reason`. */
export type Violation = string

export type Import = {
  /** path from the root for a project file, otherwise the package name */
  target: string
  isPackage: boolean
}

const folders = ['branding', 'contract', 'src', 'server', 'scripts', 'e2e', 'tools', 'demo', 'docs', 'public']
const textTypes = new Set(['.ts', '.tsx', '.mjs', '.js', '.css', '.sql', '.html', '.json', '.md', '.csv'])
const skipped = /(?:^|\/)(?:node_modules|\.lighthouseci|reports)(?:\/|$)/

/** Project files of the source folders and the root. */
export async function readSourceFiles(root: string): Promise<SourceFile[]> {
  const inFolders = folders.map(folder => list(root, folder))
  const paths = [...(await list(root, '', false)), ...(await Promise.all(inFolders)).flat()]
  return Promise.all(
    paths.map(async path => ({
      path,
      text: textTypes.has(extname(path)) ? await readFile(join(root, path), 'utf8') : '',
    })),
  )
}

async function list(root: string, folder: string, recursive = true): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile())
    .map(entry => posix.relative(toPosix(root), toPosix(join(entry.parentPath, entry.name))))
    .filter(path => !skipped.test(path))
}

const toPosix = (path: string) => path.replaceAll('\\', '/')

/** Import aliases from the `imports` field of package.json. */
const aliases: Record<string, string> = {
  '#contract/': 'contract/',
  '#lib/': 'src/lib/',
  '#ui/': 'src/ui/',
  '#features/': 'src/features/',
  '#office/': 'src/office/',
  '#app/': 'src/app/',
  '#test/': 'src/test/',
  '#server/': 'server/',
}

export const isTest = (path: string): boolean => /\.(?:test|spec)\.tsx?$|^(?:contract|server|src)\/test\//.test(path)
export const isCode = (path: string): boolean => /\.(?:tsx?|mjs)$/.test(path)

const parsed = new WeakMap<SourceFile, ReturnType<typeof parseSync>>()

/**
 * Parses a TypeScript file.
 * @throws Error naming a file that cannot be parsed
 */
export function syntaxOf(file: SourceFile): ReturnType<typeof parseSync> {
  const known = parsed.get(file)
  if (known) return known
  const result = parseSync(file.path, file.text)
  if (result.errors.length > 0) throw new Error(`${file.path}: ${result.errors[0]?.message}`)
  parsed.set(file, result)
  return result
}

type Node = ESTree.Node

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const flattened = new WeakMap<object, Node[]>()

/** All nodes of a file or below a node (inclusive), in source order. */
export function nodesOf(of: SourceFile | Node): Node[] {
  const known = flattened.get(of)
  if (known) return known
  const nodes: Node[] = []
  const visit = (value: unknown) => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value)) return
    nodes.push(value)
    Object.values(value).forEach(visit)
  }
  visit('path' in of ? syntaxOf(of).program : of)
  flattened.set(of, nodes)
  return nodes
}

/** Resolved path of an imported project file; package names are returned unchanged. */
export const targetOf = (path: string, specifier: string): string => resolve(path, specifier).target

/** Path of a project file from the root; for any other import the package name. */
function resolve(path: string, specifier: string): { target: string; isPackage: boolean } {
  const alias = Object.keys(aliases).find(prefix => specifier.startsWith(prefix))
  if (alias) return { target: specifier.replace(alias, aliases[alias] ?? ''), isPackage: false }
  if (specifier.startsWith('.')) return { target: posix.join(posix.dirname(path), specifier), isPackage: false }
  return { target: /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier, isPackage: true }
}

/** Imports of a file, including type-only ones. */
export function importsOf(file: SourceFile): Import[] {
  const { staticImports, staticExports, dynamicImports } = syntaxOf(file).module
  const fixed = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries[0]?.moduleRequest?.value ?? []),
  ]
  const late = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const specifier = /^'([^']+)'$|^"([^"]+)"$/.exec(file.text.slice(start, end))
    return specifier ? [specifier[1] ?? specifier[2] ?? ''] : []
  })
  return [...fixed, ...late].map(specifier => resolve(file.path, specifier))
}
