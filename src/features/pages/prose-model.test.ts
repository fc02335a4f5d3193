import { expect, test } from 'vitest'
import { parseProse } from './prose-model.ts'

test('lines become paragraphs, marked lines a list, and links are parsed in both', () => {
  expect(
    parseProse(['Siehe [Kurse](/courses) und [Post](mailto:a@b.example).', '- eins', '- [zwei](/faq)', 'Ende.']),
  ).toEqual([
    {
      kind: 'paragraph',
      content: [
        { text: 'Siehe ' },
        { text: 'Kurse', href: '/courses' },
        { text: ' und ' },
        { text: 'Post', href: 'mailto:a@b.example' },
        { text: '.' },
      ],
    },
    { kind: 'list', items: [[{ text: 'eins' }], [{ text: 'zwei', href: '/faq' }]] },
    { kind: 'paragraph', content: [{ text: 'Ende.' }] },
  ])
})
