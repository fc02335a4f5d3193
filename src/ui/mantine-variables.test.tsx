import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { resolveVariables, theme } from './mantine-theme.ts'

/** Shades of Mantine's own palettes: components use the color of the theme, and red for error messages. */
const OTHER_PALETTES = /--mantine-color-(?!hall|red)[a-z]+-(?:filled|outline)(?:-hover)?:[^;]*;/g

/** Formats the CSS with one declaration per line, as the formatter requires. */
const readable = (css: string) =>
  css
    .replaceAll('&quot;', '"')
    .replace(OTHER_PALETTES, '')
    .replace(/\s*([{};])\s*/g, '$1')
    .replace(/,\s*:/g, ',\n:')
    .replaceAll('{', ' {\n')
    .replace(/([^{}\n;]+;)/g, '  $1\n')
    .replaceAll('}', '}\n\n')
    .trimEnd()

test('the variables file matches the theme (after a change: npm run unit -- -u)', async () => {
  const html = renderToStaticMarkup(
    <MantineProvider theme={theme} cssVariablesResolver={resolveVariables} withGlobalClasses={false}>
      {null}
    </MantineProvider>,
  )
  const css = /<style[^>]*>(.*)<\/style>/s.exec(html)?.[1] ?? ''
  expect(css).toContain('--mantine-color-hall-8')
  await expect(`${readable(css)}\n`).toMatchFileSnapshot('./mantine-variables.css')
})
