import { expect, test } from 'vitest'
import { checkClasses } from './classes.ts'

const PIECES = { path: 'src/components/pieces.module.css', text: '.box { padding: 0; }\n.row { composes: box; }' }
const judge = (css: string, component: string) =>
  checkClasses([
    PIECES,
    { path: 'src/app/card.module.css', text: css },
    {
      path: 'src/app/card.tsx',
      text: `import { piece } from '#components/pieces.ts'\nimport classes from './card.module.css'\n${component}`,
    },
  ])

test('every class that is named is there, and every class that is there is named', () => {
  expect(
    judge('.card, .card:hover .name { margin: 0; }', "const looks = [classes.card, classes.name, piece('row')]"),
  ).toEqual([])
})

test('a class that is nowhere is found, a piece too', () => {
  expect(judge('.card { margin: 0; }', "const looks = [classes.card, classes.cart, piece('row', 'bax')]")).toEqual([
    'src/app/card.tsx: cart is no class of src/app/card.module.css',
    'src/app/card.tsx: bax is no class of src/components/pieces.module.css',
  ])
})

test('a class that nobody names is found', () => {
  expect(
    judge(
      '.card { margin: 0; }\n/* .old { margin: 0; } */\n.older { margin: 0; }',
      "const looks = [classes.card, piece('row')]",
    ),
  ).toEqual(['src/app/card.module.css: nobody names older'])
})

test('a stylesheet that is handed on, or read by a name found at run time, counts as a whole', () => {
  expect(judge('.card { margin: 0; }', "use(classes, piece('row'))")).toEqual([])
  expect(judge('.card { margin: 0; }', "use(classes[name], piece('row'))")).toEqual([])
})
