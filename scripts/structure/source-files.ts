import { readdir, readFile } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'

/** A file of the tree: its path from the root with forward slashes, its text (empty for pictures and the like). */
export type SourceFile = { path: string; text: string }

/** A broken rule, as `path: reason`. */
export type Violation = string

export type Import = {
  /** path from the root for a file of ours, else the package's name */
  target: string
  isPackage: boolean
  isTypeOnly: boolean
}

const folders = ['branding', 'contract', 'src', 'server', 'scripts', 'e2e', 'bench', 'demo', 'docs', 'public']
const textTypes = new Set(['.ts', '.tsx', '.mjs', '.js', '.css', '.sql', '.html', '.json', '.md', '.csv'])
const skipped = /(?:^|\/)(?:node_modules|\.lighthouseci|reports)(?:\/|$)/

/** Every file of the folders that are ours, and those of the root. */
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

/** The aliases of package.json's `imports`. */
const aliases: Record<string, string> = {
  '#contract/': 'contract/',
  '#lib/': 'src/lib/',
  '#components/': 'src/components/',
  '#features/': 'src/features/',
  '#app/': 'src/app/',
  '#test/': 'src/test/',
  '#server/': 'server/',
}

const importPattern =
  /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

export const isTest = (path: string): boolean => /\.(?:test|spec)\.tsx?$|^(?:contract|server|src)\/test\//.test(path)
export const isCode = (path: string): boolean => /\.(?:tsx?|mjs)$/.test(path)

/** What a file imports, type-only imports included. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(importPattern)].map(([, type, name, dynamicName]) => {
    const specifier = name ?? dynamicName ?? ''
    const alias = Object.keys(aliases).find(prefix => specifier.startsWith(prefix))
    const isRelative = specifier.startsWith('.')
    const target = alias
      ? specifier.replace(alias, aliases[alias] ?? '')
      : isRelative
        ? posix.join(posix.dirname(path), specifier)
        : (/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
    return { target, isPackage: !alias && !isRelative, isTypeOnly: type !== undefined }
  })
}
