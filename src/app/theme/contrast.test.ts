import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CATEGORY_KEYS } from '#ui/category-color.ts'

const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

type Scheme = ReadonlyMap<string, string>

const read = (css: string) => [...css.matchAll(/--([\w-]+):\s*(#[0-9a-f]{3,6});/gi)].map(([, name, hex]) => [name, hex])
const [lightCss = '', darkCss = ''] = tokens.split('[data-mantine-color-scheme="dark"]')
const light: Scheme = new Map(read(lightCss) as [string, string][])
const schemes: Record<string, Scheme> = {
  light,
  dark: new Map([...light, ...(read(darkCss) as [string, string][])]),
}

const colorIn = (scheme: Scheme, name: string) => {
  const hex = name.startsWith('#') ? name : scheme.get(name)
  if (!hex) throw new Error(`no token --${name}`)
  return hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex
}

const categoryColors = new Map(
  [...tokens.matchAll(/\[data-category="([\w-]+)"\] \{\s*--category: (#\w{6});/g)].map(([, key = '', hex = '']) => [
    key,
    hex,
  ]),
)

/** Relative luminance and contrast as defined by WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (one: string, other: string) => {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** All combinations of text and background color that occur. */
const PAIRS = [
  ...['ink', 'muted', 'link', 'signal-text', 'bad', 'ok'].flatMap(text => [
    [text, 'paper'],
    [text, 'card'],
  ]),
  ['waiting-ink', 'card'],
  ['to-do', 'card'],
  ['ink', 'hall-soft'],
  ['link', 'hall-soft'],
  ['sun-ink', 'sun'],
  ['sun', 'night'],
  ['waiting-ink', 'waiting'],
  ['mine-ink', 'mine'],
  ['present-ink', 'present'],
  ...['clock-ink', 'clock-muted', 'alarm'].map(text => [text, 'clock']),
  ...['hall', 'hall-deep', 'signal', 'signal-deep', 'alarm', 'slate'].map(ground => ['bright', ground]),
] as [string, string][]

describe.each(Object.entries(schemes))('in the %s color scheme', (_, scheme) => {
  test.each(PAIRS)('%s has sufficient contrast on %s', (text, ground) => {
    expect(contrast(colorIn(scheme, text), colorIn(scheme, ground))).toBeGreaterThanOrEqual(4.5)
  })

  test('every category color has sufficient contrast with white text', () => {
    for (const key of CATEGORY_KEYS) {
      const color = categoryColors.get(key) ?? ''
      expect(contrast('#ffffff', colorIn(scheme, color)), key).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('the focus ring has sufficient contrast with every background', () => {
    for (const ground of ['paper', 'card', 'hall', 'signal']) {
      const rings = ['sun', 'ink'].map(ring => contrast(colorIn(scheme, ring), colorIn(scheme, ground)))
      expect(Math.max(...rings), ground).toBeGreaterThanOrEqual(3)
    }
  })
})
