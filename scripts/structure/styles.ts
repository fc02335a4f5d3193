import type { SourceFile, Violation } from './source-files.ts'

/** The one source of colours and sizes. */
const TOKENS = 'src/app/theme/tokens.css'
/** Written from the theme, or descriptions of fonts: no look of a part of the page. */
const OTHER_SOURCES = new Set([TOKENS, 'src/components/mantine-variables.css', 'src/app/theme/fonts.css'])

/** How many steps each scale has. */
const SCALES = { text: 8, space: 8, radius: 4 }

const LENGTH = /(?<![\w-])-?[\d.]+(?:px|r?em|pt|ch|%)/
const COLOR =
  /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|ok(?:lab|lch)|lab|lch)\(|(?<![\w-])(?:white|black|red|green|blue|gr[ae]y|orange|yellow)\b/i

/** By the beginning of a property's name: what its value may not have, and where it comes from instead. */
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

/** What is named and nowhere given: such a declaration does nothing, silently. */
function findUnknown(files: SourceFile[]): Violation[] {
  const styles = files.filter(({ path }) => /^src\/.*\.(?:css|tsx)$/.test(path))
  const given = new Set(styles.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+)'?\s*:/g)].map(([, name]) => name)))
  return styles.flatMap(({ path, text }) =>
    [...text.matchAll(/var\((--[\w-]+)/g)]
      .filter(([, name = '']) => !given.has(name) && !name.startsWith('--mantine-'))
      .map(([, name]) => `${path}: ${name} is given nowhere`),
  )
}

/** Stylesheets name the tokens: no size of another scale, no colour of their own, no name that means nothing. */
export function checkStyles(files: SourceFile[]): Violation[] {
  const tokens = files.find(({ path }) => path === TOKENS)
  if (!tokens) return []
  const steps = Object.entries(SCALES).flatMap(([scale, count]) => {
    const found = new Set(tokens.text.match(new RegExp(`--${scale}-\\w+(?=:)`, 'g'))).size
    return found === count ? [] : [`${TOKENS}: ${found} steps of --${scale}, not ${count}`]
  })
  return [...steps, ...files.flatMap(brokenRulesOf), ...findUnknown(files)]
}
