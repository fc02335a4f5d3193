import { posix } from 'node:path'
import type { ESTree } from 'vite'
import { nodesOf, type SourceFile, targetOf, type Violation } from './source-files.ts'

/** File that is the single source of colours and sizes. */
const TOKENS = 'src/app/theme/tokens.css'
/** Files exempt from the rules: generated from the theme, or with font-face rules. */
const OTHER_SOURCES = new Set([TOKENS, 'src/ui/mantine-variables.css', 'src/app/theme/fonts.css'])

/** Maximum number of steps per scale. */
const SCALES = { text: 8, space: 8, radius: 4 }

const LENGTH = /(?<![\w-])-?[\d.]+(?:px|r?em|pt|ch|%)/
const COLOR =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|ok(?:lab|lch)|lab|lch)\(|(?<![\w-])(?:white|black|red|green|blue|gr[ae]y|orange|yellow)\b/i

/** Forbidden values by property prefix, with the source to use instead. */
const RULES: [property: RegExp, RegExp, reason: string][] = [
  [/^font(?:-size)?$/, LENGTH, 'a font size is one of --text-1 to --text-8'],
  [/^border(?:-\w+)*-radius$/, LENGTH, 'a radius is one of --radius-s, -m, -l, -round'],
  [/^(?:margin|padding|(?:row-|column-)?gap)(?:-\w+)*$/, LENGTH, 'a spacing is one of --space-1 to --space-8'],
  [/^(?!content$)/, COLOR, `a colour is a token of ${TOKENS}`],
]

type Declaration = { property: string; value: string }

const declarationsOf = (css: string): Declaration[] =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([\w-]+)\s*:\s*([^:;{}][^;{}]*);/g)].map(
    ([, property = '', value = '']) => ({ property, value }),
  )

function brokenRulesOf({ path, text }: SourceFile): Violation[] {
  if (!path.startsWith('src/') || OTHER_SOURCES.has(path)) return []
  if (path.endsWith('.tsx')) {
    const colors = text.match(/["'`]#(?:[\da-f]{3,4}){1,2}["'`]/gi) ?? []
    return colors.map(color => `${path}: ${color}: a colour is a token of ${TOKENS}`)
  }
  if (!path.endsWith('.css')) return []
  return declarationsOf(text).flatMap(({ property, value }) =>
    RULES.filter(([name, forbidden]) => name.test(property) && forbidden.test(value)).map(
      ([, , reason]) => `${path}: ${property}: ${value}: ${reason}`,
    ),
  )
}

/** Finds undefined custom properties, with which a declaration silently has no effect. */
function findUnknown(files: SourceFile[]): Violation[] {
  const styles = files.filter(({ path }) => /^src\/.*\.(?:css|tsx)$/.test(path))
  const given = new Set(styles.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+)'?\s*:/g)].map(([, name]) => name)))
  return styles.flatMap(({ path, text }) =>
    [...text.matchAll(/var\((--[\w-]+)/g)]
      .filter(([, name = '']) => !given.has(name) && !name.startsWith('--mantine-'))
      .map(([, name]) => `${path}: ${name} is given nowhere`),
  )
}

/** Requires design tokens in stylesheets: no values outside of the scales, no other colours, no undefined names. */
export function checkStyles(files: SourceFile[]): Violation[] {
  const tokens = files.find(({ path }) => path === TOKENS)
  if (!tokens) return []
  const steps = Object.entries(SCALES).flatMap(([scale, count]) => {
    const found = new Set(tokens.text.match(new RegExp(`--${scale}-\\w+(?=:)`, 'g'))).size
    return found === count ? [] : [`${TOKENS}: ${found} steps of --${scale}, not ${count}`]
  })
  return [...steps, ...files.flatMap(brokenRulesOf), ...findUnknown(files)]
}

/** Stylesheet with the global classes: those of the layout components and those that other stylesheets compose. */
const STYLES = 'src/ui/styles.css'

type Uses = Map<string, Set<string>>

/** A stylesheet without comments and global selectors. */
const ownPart = (css: string) => css.replace(/\/\*[\s\S]*?\*\/|:global\([^)]*\)/g, '')

function definedIn(css: string): Set<string> {
  const selectors = [...ownPart(css).matchAll(/([^{};]+)\{/g)].map(([, selector = '']) => selector)
  return new Set(
    selectors.flatMap(selector => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name)),
  )
}

/** Notes the classes that a stylesheet composes from another one or from itself. */
function noteComposed({ path, text }: SourceFile, note: (stylesheet: string, name: string) => void): void {
  for (const [, names = '', from] of ownPart(text).matchAll(/composes:\s*([\w\s-]+?)\s*(?:from\s+"?([^";]+)"?)?;/g)) {
    const stylesheet = from === 'global' ? STYLES : from === undefined ? path : posix.join(posix.dirname(path), from)
    for (const name of names.split(/\s+/)) note(stylesheet, name)
  }
}

/**
 * Notes the classes that a component uses, e.g. `classes.card`; passing the whole stylesheet on counts as using all of
 * them.
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
    files
      .filter(({ path }) => path.endsWith('.module.css') || path === STYLES)
      .map(file => [file.path, definedIn(file.text)]),
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
    if (/^src\/.*\.tsx?$/.test(file.path)) noteNamed(file, note)
  }
  for (const [path, defined] of stylesheets) {
    if (path === STYLES) continue
    const unused = [...defined].filter(name => !uses.get(path)?.has(name))
    if (unused.length > 0) violations.push(`${path}: nobody names ${unused.join(', ')}`)
  }
  return violations
}
