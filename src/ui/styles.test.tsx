import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Card, Text } from './layout.tsx'
import { BASE_CLASSES, BOOLEAN_STYLE_PROPS, ENUM_STYLE_PROPS } from './style-values.ts'
import { styles } from './styles.ts'

test('every style prop has a class, and every class has a style prop', () => {
  const css = readFileSync(join(import.meta.dirname, 'styles.css'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  const defined = new Set([...css.matchAll(/\.ui-([\w-]+)/g)].map(([, name]) => name))
  const choices = Object.entries(ENUM_STYLE_PROPS).flatMap(([name, values]) => values.map(value => `${name}-${value}`))
  // `tinted` exists only for stylesheets that compose from it.
  expect([...defined].sort()).toEqual([...BASE_CLASSES, ...choices, ...BOOLEAN_STYLE_PROPS, 'tinted'].sort())
})

test('style props become classes, everything else reaches the element', () => {
  expect(renderToStaticMarkup(<Card as="p" gap="s" flush={false} grow title="Halle" className="own" hidden />)).toBe(
    '<p title="Halle" hidden="" class="ui-card ui-gap-s ui-grow own"></p>',
  )
  expect(renderToStaticMarkup(<Text>a</Text>)).toBe('<p class="">a</p>')
  expect(styles({ base: 'row', layout: 'stack', tone: undefined })).toBe('ui-row ui-layout-stack')
})
