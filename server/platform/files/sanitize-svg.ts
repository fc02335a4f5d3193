import sanitize from 'sanitize-html'

const words = (text: string) => text.trim().split(/\s+/)

const TAGS = words(`
  svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan style
  linearGradient radialGradient stop clipPath mask pattern marker filter feBlend feColorMatrix feComponentTransfer
  feComposite feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset`)
const PRESENTATION = words(`
  clip-path clip-rule color display dominant-baseline fill fill-opacity fill-rule filter flood-color flood-opacity
  font-family font-size font-style font-weight isolation letter-spacing marker-end marker-mid marker-start mask
  mix-blend-mode opacity overflow paint-order stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
  stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor transform visibility`)
const ATTRIBUTES = words(`
  id class style href xlink:href xmlns xmlns:xlink version viewBox preserveAspectRatio width height x y x1 y1 x2 y2
  cx cy r rx ry fx fy d points pathLength dx dy rotate offset gradientUnits gradientTransform spreadMethod
  clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform markerUnits markerWidth
  markerHeight refX refY orient filterUnits primitiveUnits in in2 result stdDeviation values type mode operator
  k1 k2 k3 k4 tableValues slope intercept amplitude exponent radius xml:space`)
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
  if (name in NAMESPACES) return value === NAMESPACES[name] ? value : null
  if (name === 'style') return reduceStyle(value) || null
  if (name === 'href' || name === 'xlink:href') return value.startsWith('#') ? value : null
  return isHarmlessCss(value) ? value : null
}

const options: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { '*': [...ATTRIBUTES, ...PRESENTATION] },
  // Style elements are allowed, because their content is validated below.
  allowVulnerableTags: true,
  nonTextTags: ['script', 'foreignObject', 'metadata', 'animate', 'set', 'image', 'a', 'iframe', 'switch'],
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
  exclusiveFilter: ({ tag, text }) => tag === 'style' && (text.includes('>') || !isHarmlessCss(text)),
}

/**
 * Sanitizes an SVG picture: removes scripts, external references, and all tags and attributes that are not explicitly
 * allowed. Idempotent. See docs/decisions/0136.
 * @returns null if it is not an SVG
 */
export function sanitizeSvg(content: Uint8Array): string | null {
  const source = Buffer.from(content).toString('utf8')
  const svg = sanitize(source.slice(Math.max(0, source.search(/<svg[\s>]/))), options).trim()
  return svg.startsWith('<svg') ? svg : null
}
