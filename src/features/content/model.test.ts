import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentItem } from '#contract/test/content.ts'
import { itemsInLanguage } from './document-model.ts'
import { parseContentLink, textsOfItem } from './model.ts'

/** Characters with a meaning in URLs, and ones that browsers drop or trim. */
const MEANINGFUL = fc.constantFrom(...'/\\.:@?#%a1 \t\n\r\u0000\u00a0\u2028\u200b\ufeff')

describe('the link of a content item', () => {
  test.each([
    ['4711', { kind: 'route', route: '/course-details/4711' }],
    ['category:9', { kind: 'category', categoryId: 9 }],
    ['category: 13', { kind: 'category', categoryId: 13 }],
    [
      'mailto:werksport@demo.example?subject=Idee',
      { kind: 'mail', address: 'mailto:werksport@demo.example?subject=Idee' },
    ],
    ['https://example.org/karte', { kind: 'site', address: 'https://example.org/karte' }],
    ['HTTP://example.org', { kind: 'site', address: 'HTTP://example.org' }],
    ['teamsport', { kind: 'route', route: '/teamsport' }],
    ['/photo-album/3', { kind: 'route', route: '/photo-album/3' }],
    ['courses?season=2', { kind: 'route', route: '/courses?season=2' }],
  ])('%s', (link, target) => expect(parseContentLink(link)).toEqual(target))

  test.each([
    '',
    '  ',
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '\\evil.example',
    '\\/evil.example',
  ])('%j has no target', link => expect(parseContentLink(link)).toBeNull())

  test('for any imported value, a route stays on this origin', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: MEANINGFUL })), link => {
        const target = parseContentLink(link)
        if (target?.kind !== 'route') return
        expect(new URL(target.route, 'https://portal.example').origin).toBe('https://portal.example')
      }),
      { numRuns: 1000 },
    )
  })
})

test('the English version uses the English texts if there are any', () => {
  const bilingual = contentItem('HomeTop', {
    text1: 'Oben',
    text2: 'Mehr dazu',
    text3: 'Top',
    linkText: 'Los',
    linkText2: 'Go',
  })
  expect(textsOfItem(bilingual, 'de')).toEqual({ title: 'Oben', text: 'Mehr dazu', linkText: 'Los' })
  expect(textsOfItem(bilingual, 'en')).toEqual({ title: 'Top', text: 'Mehr dazu', linkText: 'Go' })
})

test('English flyers are shown only in English; if there are none, the German ones are shown', () => {
  const items = [
    contentItem('Flyer', { text1: 'Winter' }),
    contentItem('Flyer_English', { text1: 'winter' }),
    contentItem('CourseFlyer'),
  ]
  expect(itemsInLanguage(items, 'Flyer', 'de').map(({ text1 }) => text1)).toEqual(['Winter'])
  expect(itemsInLanguage(items, 'Flyer', 'en').map(({ text1 }) => text1)).toEqual(['winter'])
  expect(itemsInLanguage(items, 'CourseFlyer', 'en')).toHaveLength(1)
})
