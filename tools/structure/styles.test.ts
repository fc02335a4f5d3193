import { expect, test } from 'vitest'
import { checkClasses, checkStyles } from './styles.ts'

const steps = (scale: string, count: number) =>
  Array.from({ length: count }, (_, step) => `--${scale}-${step}: 1rem;`).join('\n')
const tokens = {
  path: 'src/app/theme/tokens.css',
  text: `:root {\n${steps('text', 8)}\n${steps('space', 8)}\n${steps('radius', 4)}\n--ink: #123456;\n}`,
}
const judge = (css: string, path = 'src/ui/card.module.css') => checkStyles([tokens, { path, text: css }])

test.each([
  'font-size: 17px;',
  'font-size: 1.05rem;',
  'font: 600 1.1em/1.2 serif;',
  'border-radius: 50%;',
  'border-top-left-radius: 3px;',
  'padding: var(--space-1) 7px;',
  'margin-inline: -0.3rem;',
  'gap: 6px;',
  'color: #123456;',
  'background: rgb(0 0 0 / 10%);',
  'color: white;',
  'color: var(--unheard-of);',
])('%s is rejected because it does not use design tokens', declaration => {
  expect(judge(`.card {\n  ${declaration}\n}`)).toHaveLength(1)
})

test.each([
  'font: 600 var(--text-1) / 1.2 serif;',
  'font-size: min(var(--text-7), 11vw);',
  'padding: 0 var(--space-2) calc(var(--space-1) + env(safe-area-inset-bottom));',
  'margin: calc(-1 * var(--space-1)) auto 0;',
  'width: 104px;',
  'color: var(--ink);',
  'background: transparent;',
  'scroll-padding: 190px 0;',
  '/* 17px and #123456 */',
])('%s is accepted', declaration => {
  expect(judge(`.card {\n  ${declaration}\n}`)).toEqual([])
})

test('colors of inline SVG must be design tokens, too', () => {
  expect(judge('<path stroke="#f6c445" />', 'src/ui/ball.tsx')).toHaveLength(1)
  expect(judge('<path stroke="var(--ink)" /> // see #4711', 'src/ui/ball.tsx')).toEqual([])
})

test('a ninth step of a scale is rejected', () => {
  expect(checkStyles([{ ...tokens, text: `${tokens.text} :root { --text-9: 9rem; }` }])).toHaveLength(1)
})

const judgeClasses = (css: string, component: string) =>
  checkClasses([
    { path: 'src/app/card.module.css', text: css },
    { path: 'src/app/card.tsx', text: `import classes from './card.module.css'\n${component}` },
  ])

test('classes that are both defined and used are accepted', () => {
  expect(judgeClasses('.card, .card:hover .name { margin: 0; }', 'const looks = [classes.card, classes.name]')).toEqual(
    [],
  )
})

test('an undefined class is reported', () => {
  expect(judgeClasses('.card { margin: 0; }', 'const looks = [classes.card, classes.cart]')).toEqual([
    'src/app/card.tsx: cart is no class of src/app/card.module.css',
  ])
})

test('an unused class is reported', () => {
  expect(
    judgeClasses(
      '.card { margin: 0; }\n/* .old { margin: 0; } */\n.older { margin: 0; }',
      'const looks = [classes.card]',
    ),
  ).toEqual(['src/app/card.module.css: nobody names older'])
})

test('all classes of a stylesheet that is passed on or accessed dynamically are treated as used', () => {
  expect(judgeClasses('.card { margin: 0; }', 'use(classes)')).toEqual([])
  expect(judgeClasses('.card { margin: 0; }', 'use(classes[name])')).toEqual([])
})

test('a composed class must be defined in the same stylesheet or in the global styles', () => {
  const files = (css: string) => [
    { path: 'src/ui/styles.css', text: '.ui-row { gap: 0; }' },
    { path: 'src/app/card.module.css', text: css },
    { path: 'src/app/card.tsx', text: "import classes from './card.module.css'\nuse(classes)" },
  ]
  expect(checkClasses(files('.card { composes: ui-row from global; }'))).toEqual([])
  expect(checkClasses(files('.card { composes: ui-rwo from global; }'))).toEqual([
    'src/app/card.module.css: ui-rwo is no class of src/ui/styles.css',
  ])
})
