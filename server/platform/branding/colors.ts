import type { Branding } from '#contract/endpoints/branding.ts'

type Colors = Branding['colors']
type Scheme = 'light' | 'dark'

/** Page colours that appear next to brand colours: the greys and text colours from src/app/theme/tokens.css. */
export const PAGE_COLORS = {
  light: { paper: '#f6f4ef', card: '#ffffff', ink: '#10262a', 'sun-ink': '#3a2a00' },
  dark: { paper: '#0b1d20', card: '#132b2f', ink: '#eef5f4', 'sun-ink': '#3a2a00' },
} as const
const WHITE = '#ffffff'
/** Minimum contrast ratio of WCAG 2.2 AA for text of any size. */
const LEAST = 4.5

const channels = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))

/** Relative luminance as defined by WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = channels(hex).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio of two colours, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/**
 * Mixes two colours.
 * @param part share of the second colour, from 0 to 1
 */
function mix(one: string, other: string, part: number): string {
  const second = channels(other)
  const mixed = channels(one).map((value, index) => Math.round(value + ((second[index] ?? 0) - value) * part))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

const deepOf = ({ brand }: Colors) => mix(brand.light, '#000000', 0.27)

/** All foreground and background pairs that include a brand colour. */
function pairsOf(colors: Colors, scheme: Scheme): { field: keyof Colors; with: string; color: string }[] {
  const { paper, card, ink, 'sun-ink': sunInk } = PAGE_COLORS[scheme]
  const soft = colors.brandSoft[scheme]
  return [
    { field: 'brand', with: 'white text on it', color: WHITE },
    { field: 'action', with: 'white text on it', color: WHITE },
    { field: 'brandSoft', with: 'text on it', color: ink },
    { field: 'highlight', with: 'dark text on it', color: sunInk },
    ...(['link', 'actionText'] as const).flatMap(field => [
      { field, with: 'the page behind it', color: paper },
      { field, with: 'the cards behind it', color: card },
    ]),
    { field: 'link', with: 'brandSoft behind it', color: soft },
  ]
}

/** Lists colour pairs with insufficient contrast, one sentence per pair. */
export const findLowContrastPairs = (colors: Colors): string[] =>
  (['light', 'dark'] as const).flatMap(scheme =>
    pairsOf(colors, scheme).flatMap(({ field, with: other, color }) => {
      const own = colors[field][scheme]
      const contrast = contrastRatio(own, color)
      if (contrast >= LEAST) return []
      const has = `${Math.floor(contrast * 100) / 100}:1`
      return [`colors.${field}.${scheme} ${own} has too little contrast with ${other} (${has}, at least ${LEAST}:1)`]
    }),
  )

/**
 * Shades for buttons and fields, each given as the proportion of the full brand colour that is mixed into the soft
 * brand colour.
 */
const SHADES = [0, 0.117, 0.25, 0.4, 0.56, 0.72, 0.85, 0.93, 1]

/**
 * Renders the style sheet with the brand colours that every page loads. Its specificity is higher than that of the
 * app's own styles, so the order of the two does not matter.
 */
export function renderColors(colors: Colors): string {
  const shades = [...SHADES.map(part => mix(colors.brandSoft.light, colors.brand.light, part)), deepOf(colors)]
  const tokens = (scheme: Scheme) => [
    ['hall', colors.brand[scheme]],
    ['hall-deep', deepOf(colors)],
    ['hall-soft', colors.brandSoft[scheme]],
    ['link', colors.link[scheme]],
    ['signal', colors.action[scheme]],
    ['signal-text', colors.actionText[scheme]],
    ['sun', colors.highlight[scheme]],
  ]
  const block = (selector: string, values: string[][]) =>
    `${selector}{${values.map(([name, value]) => `--${name}:${value}`).join(';')}}\n`
  return [
    block(':root:root', [...tokens('light'), ...shades.map((shade, index) => [`mantine-color-hall-${index}`, shade])]),
    block(':root:root[data-mantine-color-scheme="dark"]', [
      ...tokens('dark'),
      ['mantine-color-hall-light', colors.brandSoft.dark],
    ]),
  ].join('')
}
