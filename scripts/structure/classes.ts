import { posix } from 'node:path'
import type { ESTree } from 'vite'
import { nodesOf, type SourceFile, targetOf, type Violation } from './source-files.ts'

/** Class names in `piece('box', 'stack')`. */
const PIECES = 'src/components/pieces.module.css'
/** Classes composed from other stylesheets or used by components. */
const NAME_ALL = new Set(['src/components/pieces.ts', 'src/app/theme/design-page.tsx'])

type Uses = Map<string, Set<string>>

/** Without comments and global selectors. */
const ownPart = (css: string) => css.replace(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, '')

function definedIn(css: string): Set<string> {
  const selectors = [...ownPart(css).matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector)
  return new Set(
    selectors.flatMap(selector => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)),
  )
}

/** Classes that a stylesheet composes from another one, or from itself. */
function noteComposed({ path, text }: SourceFile, note: (stylesheet: string, name: string) => void): void {
  for (const [, names = '', from] of ownPart(text).matchAll(/composes:\s*([\w\s-]+?)\s*(?:from\s+"([^"]+)")?;/g)) {
    const stylesheet = from === undefined ? path : posix.join(posix.dirname(path), from)
    for (const name of names.split(/\s+/)) note(stylesheet, name)
  }
}

const literalsIn = (node: ESTree.Node): string[] =>
  nodesOf(node).flatMap(found => (found.type === 'Literal' && typeof found.value === 'string' ? [found.value] : []))

/**
 * Classes used by a component: `classes.card`, or those of `piece(…)`; passing the stylesheet on counts as using all of
 * it.
 */
function noteNamed(file: SourceFile, note: (stylesheet: string, name: string | null) => void): void {
  const nodes = nodesOf(file)
  const stylesheets = new Map<string, string>()
  const read = new Set<ESTree.Node>()
  for (const node of nodes) {
    if (node.type !== 'ImportDeclaration' || !node.source.value.endsWith('.module.css')) continue
    for (const { local } of node.specifiers) {
      stylesheets.set(local.name, targetOf(file.path, node.source.value))
      read.add(local)
    }
  }
  for (const node of nodes) {
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'piece')
      for (const name of node.arguments.flatMap(literalsIn)) note(PIECES, name)
    if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') continue
    const stylesheet = stylesheets.get(node.object.name)
    if (!stylesheet) continue
    read.add(node.object)
    note(stylesheet, node.property.type === 'Identifier' && !node.computed ? node.property.name : null)
  }
  for (const node of nodes) {
    const stylesheet = node.type === 'Identifier' && !read.has(node) ? stylesheets.get(node.name) : undefined
    if (stylesheet) note(stylesheet, null)
  }
}

/** Reports used classes that are not defined and defined classes that are not used: the CSS modules report neither. */
export function checkClasses(files: SourceFile[]): Violation[] {
  const stylesheets = new Map(
    files.filter(({ path }) => path.endsWith('.module.css')).map(file => [file.path, definedIn(file.text)]),
  )
  const uses: Uses = new Map()
  const violations: Violation[] = []
  for (const file of files) {
    const note = (stylesheet: string, name: string | null) => {
      const defined = stylesheets.get(stylesheet)
      if (name !== null && defined && !defined.has(name))
        violations.push(`${file.path}: ${name} is no class of ${stylesheet}`)
      const used = uses.get(stylesheet) ?? new Set()
      uses.set(stylesheet, new Set([...used, ...(name === null ? (defined ?? []) : [name])]))
    }
    if (stylesheets.has(file.path)) noteComposed(file, note)
    if (/^src\/.*\.tsx?$/.test(file.path) && !NAME_ALL.has(file.path)) noteNamed(file, note)
  }
  for (const [path, defined] of stylesheets) {
    const unused = [...defined].filter(name => !uses.get(path)?.has(name))
    if (unused.length > 0) violations.push(`${path}: nobody names ${unused.join(', ')}`)
  }
  return violations
}
