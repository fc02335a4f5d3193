import sanitize from 'sanitize-html'

const words = (text: string) => text.trim().split(/\s+/)

const TAGS = words(`
  svg g switch defs symbol use title desc path rect circle ellipse line polyline polygon text tspan textPath style
  linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer
  feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
  feOffset feTile`)
const PRESENTATION = words(`
  baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters display dominant-baseline
  fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-size font-stretch font-style
  font-variant font-weight isolation letter-spacing marker-end marker-mid marker-start mask mask-type mix-blend-mode
  opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
  text-rendering transform transform-origin vector-effect visibility word-spacing writing-mode`)
const ATTRIBUTES = words(`
  id class style href xlink:href xmlns xmlns:xlink version viewBox preserveAspectRatio width height x y x1 y1 x2 y2
  cx cy r rx ry fx fy d points pathLength dx dy rotate offset gradientUnits gradientTransform spreadMethod
  clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform markerUnits markerWidth
  markerHeight refX refY orient filterUnits primitiveUnits in in2 result stdDeviation values type mode operator
  k1 k2 k3 k4 tableValues slope intercept amplitude exponent radius startOffset systemLanguage requiredExtensions
  requiredFeatures xml:space`)
const FUNCTIONS = words('matrix translate scale rotate skewX skewY rgb rgba hsl hsla')
const NAMESPACES: Record<string, string> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
}

/**
 * Number of characters to look back for a function name; greater than the longest allowed name with trailing spaces.
 */
const LOOK_BEHIND = 20

/**
 * Whether CSS is harmless: it contains no escapes, no at-rules and only some harmless functions, and uses `url()` only
 * for references within the picture.
 */
function isHarmlessCss(text: string): boolean {
  if (/[\\@<&]/.test(text)) return false
  for (let at = text.indexOf('('); at >= 0; at = text.indexOf('(', at + 1)) {
    const before = text.slice(Math.max(0, at - LOOK_BEHIND), at).trimEnd()
    const name = /[\w-]*$/.exec(before)?.[0] ?? ''
    const isInside = name === 'url' && /^["']?#/.test(text.slice(at + 1, at + 3))
    if (!isInside && !FUNCTIONS.includes(name)) return false
  }
  return true
}

/** Reduces a `style` attribute to declarations that are also allowed as attributes. */
const reduceStyle = (style: string): string =>
  style
    .split(';')
    .map(declaration => declaration.split(':').map(part => part.trim()))
    .filter(
      ([name = '', value = '', ...more]) => PRESENTATION.includes(name) && more.length === 0 && isHarmlessCss(value),
    )
    .map(([name, value]) => `${name}:${value}`)
    .join(';')

function reduceAttribute(name: string, value: string): string | null {
  // The library writes an empty value as `d` instead of `d=""`, which is no XML.
  if (value === '') return null
  // Illustrator declares entities for the namespaces.
  if (name in NAMESPACES) return value === NAMESPACES[name] || /^&\w+;$/.test(value) ? (NAMESPACES[name] ?? null) : null
  if (name === 'style') return reduceStyle(value) || null
  if (name === 'href' || name === 'xlink:href') return value.startsWith('#') ? value : null
  return isHarmlessCss(value) ? value : null
}

const options: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { '*': [...ATTRIBUTES, ...PRESENTATION] },
  // Style elements are allowed, because their content is validated below.
  allowVulnerableTags: true,
  // Of other tags, such as links, only the content remains.
  nonTextTags: ['script', 'foreignObject', 'metadata', 'animate', 'set', 'image', 'iframe'],
  nestingLimit: 100,
  parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false, decodeEntities: true },
  transformTags: {
    '*': (tagName, attribs) => {
      const reduced = Object.entries(attribs).flatMap(([name, value]) => {
        const kept = reduceAttribute(name, value)
        return kept === null ? [] : [[name, kept] as const]
      })
      return { tagName, attribs: Object.fromEntries(reduced) }
    },
  },
  exclusiveFilter: ({ tag, text }) =>
    tag === 'style' && (text.trim() === '' || text.includes('>') || !isHarmlessCss(text)),
}

/**
 * Removes comments, fonts and rules for certain media from style sheets, so that the other rules remain. The result is
 * not trusted yet.
 */
const withoutAtRules = (svg: string): string =>
  svg.replace(
    /(<style[\s>])([^<]*|\s*<!\[CDATA\[[^<]*)(?=<\/style)/g,
    (_, tag: string, css: string) =>
      tag +
      css
        // Each expression stops where the next match could begin, so that the time is linear.
        .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
        .replace(/@(?:charset|import|namespace)\s+(?:url\([^()]*\)|"[^"]*"|'[^']*')[^;{}@]*;/g, '')
        .replace(/@[\w-]+[^{};@]*\{(?:[^{}]|\{[^{}]*\})*\}/g, ''),
  )

/**
 * Sanitizes an SVG picture: removes scripts, external references, and all tags and attributes that are not explicitly
 * allowed. Idempotent. See docs/decisions/0136.
 * @returns null if it is not an SVG
 */
export function sanitizeSvg(content: Uint8Array): string | null {
  const source = Buffer.from(content).toString('utf8')
  const svg = sanitize(withoutAtRules(source.slice(Math.max(0, source.search(/<svg[\s>]/)))), options).trim()
  return svg.startsWith('<svg') ? svg : null
}
