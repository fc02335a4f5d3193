import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHtml, htmlToText } from './clean-html.ts'

test.each([
  ['', ''],
  ['  Rückenfit & Faszien  ', 'Rückenfit & Faszien'],
  ['F&E, ab 5 < 10 Jahre', 'F&amp;E, ab 5 &lt; 10 Jahre'],
  ['A&amp;O > "Z"', 'A&O > "Z"'],
  ['&lt;b&gt; ist kein Fett', '&lt;b&gt; ist kein Fett'],
  ['Fragen an <sport@example.com>', 'Fragen an &lt;sport@example.com&gt;'],
  ['Eins\r\nzwei\r\n\r\ndrei', '<p>Eins<br />zwei</p><p>drei</p>'],
  ['Eins\n zwei', '<p>Eins<br />zwei</p>'],
  ['<b>Fett</b>\nzweite Zeile', '<p><b>Fett</b><br />zweite Zeile</p>'],
  ['<script>alert(1)</script>Text', 'Text'],
  ['<img src=x onerror=alert(1)>Text', 'Text'],
  ['<a href="javascript:alert(1)">hier</a>', 'hier'],
  [
    '<a href="https://example.com/a?b=1&amp;c=2" onclick="x()">hier</a>',
    '<a href="https://example.com/a?b=1&amp;c=2">hier</a>',
  ],
  ['<a href="mailto:sport@example.com">Mail</a>', '<a href="mailto:sport@example.com">Mail</a>'],
  ['<h1>Titel</h1><div>eins</div><div>zwei</div>', '<h3>Titel</h3><p>eins</p><p>zwei</p>'],
  ['<div><p>eins</p></div>', '<p>eins</p>'],
  ['<p>&nbsp;</p><p>Text&nbsp;&nbsp;&nbsp; mit</p><p><br></p>', '<p>Text mit</p>'],
  [
    '<!--[if gte mso 9]><xml><w:WordDocument></w:WordDocument></xml><![endif]--><p class=MsoNormal style="margin:0">Liebe<o:p></o:p> Leute<![if !supportLists]>!<![endif]></p>',
    '<p>Liebe Leute!</p>',
  ],
  ['<ul>\n <li>eins</li>\n <li>zwei</li>\n</ul>', '<ul><li>eins</li><li>zwei</li></ul>'],
  ['zerle\u0308gt\u0000 unsicht\u200bbar', 'zerlëgt unsichtbar'],
])('%j becomes %j', (dirty, clean) => {
  expect(cleanHtml(dirty)).toBe(clean)
})

test('a text for plain display retains its words and line breaks', () => {
  expect(htmlToText('<p>Laufen &amp; <b>Walken</b></p><ul><li>früh</li><li>spät</li></ul>')).toBe(
    'Laufen & Walken\nfrüh\nspät',
  )
})

test.each(['<b>', '<x>', '<ul><li>', '<b x>', '<svg>', '<b></x>'])(
  'the time for 33,000 unclosed tags (%s) is linear',
  tags => {
    const measure = (count: number) => cpuMsOf(() => cleanHtml(tags.repeat(count)))
    measure(4_000)
    // Eight times the tags; a quadratic time would be 68 times as long.
    expect(measure(33_000) / measure(4_000)).toBeLessThan(45)
  },
)

const fragment = fc.constantFrom(
  '<p>',
  '</p>',
  '<b>',
  '</b>',
  '<a href="https://a.example/?x=1&y=2">',
  '<a>',
  '<a href=javascript:x>',
  '</a>',
  '<br>',
  '<ul>',
  '<li>',
  '</ul>',
  '<div>',
  '</div>',
  '<table><tr><td>',
  '</td>',
  '<o:p>',
  '<!--',
  '-->',
  '<![endif]>',
  '<script>',
  '&nbsp;',
  '&amp;',
  '&lt;',
  '&lt;b&gt;',
  '&',
  '<',
  '>',
  '"',
  '&amp;amp;',
  '&#60;',
  '&copy',
  '<x@y',
  '\n',
  '\n\n',
  ' ',
  'Wort',
)
const dirtyHtml = fc.array(fc.oneof({ weight: 4, arbitrary: fragment }, fc.string({ unit: 'grapheme', maxLength: 8 })))

test('cleaning is idempotent for any input', () => {
  fc.assert(
    fc.property(dirtyHtml, parts => {
      const once = cleanHtml(parts.join(''))
      expect(cleanHtml(once)).toBe(once)
      expect(once).not.toMatch(/<(?!\/?(?:p|br|ul|ol|li|strong|b|em|i|u|h3|h4|a|table|tbody|tr|th|td)[ />])[a-z/!?]/i)
    }),
    { numRuns: 3000 },
  )
})

/** CPU time of this thread in ms, which a busy machine hardly changes; a mean, because the clock has steps of 10 ms. */
function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  for (let runs = 1; ; runs += 1) {
    work()
    const { user, system } = process.threadCpuUsage(before)
    const ms = (user + system) / 1000
    if (ms >= 100) return ms / runs
  }
}

test('a description of 77 KB is cleaned fast', () => {
  const description =
    '<p class="MsoNormal" style="mso-x:y">Kraft&nbsp;&amp; <span lang=DE>Ausdauer</span><o:p></o:p></p>\n'.repeat(800)
  expect(cleanHtml(description)).toBe('<p>Kraft &amp; Ausdauer</p>'.repeat(800))
  expect(cpuMsOf(() => cleanHtml(description))).toBeLessThan(1000)
})

test('excessively nested tags are dropped, and their text is retained', () => {
  const nest = (tag: string, text: string) => `<${tag}>`.repeat(4_000) + text + `</${tag}>`.repeat(4_000)
  for (const text of ['x', '', ' ']) {
    expect(htmlToText(nest('b', text))).toBe(text.trim())
    expect(cpuMsOf(() => cleanHtml(nest('b', text)))).toBeLessThan(50)
  }
})

test.each([
  ['blanks', `x${' '.repeat(100_000)}x`],
  ['wide blanks', `x${'\u2003'.repeat(100_000)}x`],
  ['lines of wide blanks', `x${'\n\u2003'.repeat(50_000)}x`],
  ['line breaks as entities', `x${'&#10;&#32;'.repeat(10_000)}x`],
  ['empty elements between breaks', `x${'<br><u></u>'.repeat(9_000)}x`],
  ['comments', '<!--'.repeat(25_000)],
  ['attributes', `<a ${'x=1 '.repeat(25_000)}>`],
])('100,000 characters of %s are cleaned in linear time', (_, text) => {
  const half = text.slice(0, text.length / 2)
  expect(cpuMsOf(() => cleanHtml(text))).toBeLessThan(5 * cpuMsOf(() => cleanHtml(half)) + 100)
})
