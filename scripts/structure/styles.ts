import type { SourceFile, Violation } from './source-files.ts'

/** Single source of colours and sizes. */
const TOKENS = 'src/app/theme/tokens.css'
/** Generated from the theme, or font-face rules: exempt. */
const OTHER_SOURCES = new Set([TOKENS, 'src/components/mantine-variables.css', 'src/app/theme/fonts.css'])

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

/** Undefined custom properties: such a declaration silently has no effect. */
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
