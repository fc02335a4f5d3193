import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { bilingualField } from '../contract/tables/fields.ts'

const root = join(import.meta.dirname, '..')
const MOST_UNNAMED = 3
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  .toString()
  .split('\n')
  .filter(path => path !== '' && existsSync(join(root, path)))
const documents = files.filter(path => path.endsWith('.md'))
const decisions = files.filter(path => /^docs\/decisions\/\d{4}-/.test(path))

/** The anchor that repository hosts generate for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

test('every link in the documents has an existing target', () => {
  const broken = documents.flatMap(path =>
    [...read(path).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter(target => !/^[a-z]+:/.test(target))
      .filter(target => {
        const [file = '', anchor] = target.split('#')
        const to = file === '' ? path : join(dirname(path), file)
        if (!existsSync(join(root, to))) return true
        return anchor !== undefined && !anchorsOf(read(to)).includes(anchor)
      })
      .map(target => `${path}: ${target}`),
  )
  expect(documents.length).toBeGreaterThan(30)
  expect(broken).toEqual([])
})

test('paths in the documents for developers exist', () => {
  const spans = ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md'].flatMap(path =>
    [...read(path).matchAll(/`((?:contract|docs(?!\/decisions)|e2e|scripts|server|src|tools)\/[\w./-]+)`/g)].map(
      ([, span = '']) => span,
    ),
  )
  expect(spans.length).toBeGreaterThan(20)
  expect(spans.filter(span => !existsSync(join(root, span)))).toEqual([])
})

test('the recipe for a course field is valid code', () => {
  const recipe = read('docs/architecture.md').split('## Add a course field')[1] ?? ''
  const [, row = ''] = /`\.\.\.(bilingualField\(.+\))`/.exec(recipe) ?? []
  const fields = new Function('bilingualField', `return ${row}`)(bilingualField)
  expect(Object.keys(fields)).toEqual(['bring', 'bring2'])
  const course = read('contract/tables/course.ts')
  for (const [, name] of recipe.matchAll(/`([A-Z_]{4,})`/g)) expect(course).toContain(`export const ${name}`)
  for (const option of row.matchAll(/(\w+):/g)) expect(course).toContain(`${option[1]}: `)
})

test('code and documents refer only to existing decisions, and the code refers to nearly all of them', () => {
  const numbers = decisions.map(path => path.slice('docs/decisions/'.length).slice(0, 4))
  expect(new Set(numbers).size).toBe(numbers.length)
  const code = files.filter(path => /\.(?:[cm]?[jt]sx?|sql|css)$/.test(path) && path !== 'scripts/documents.test.ts')
  const named = [...code, ...documents].flatMap(path =>
    [...read(path).matchAll(/docs\/decisions\/(\d{4})/g)].map(([, number = '']) => ({ path, number })),
  )
  expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([])
  const inCode = new Set(named.filter(({ path }) => code.includes(path)).map(({ number }) => number))
  const unnamed = numbers.filter(number => !inCode.has(number))
  // A decision that is not mentioned anywhere in the code is unlikely to be followed.
  expect(unnamed.length, unnamed.join(' ')).toBeLessThanOrEqual(MOST_UNNAMED)
})

test('every decision is listed, short, and states context, decision and consequence', () => {
  const list = read('docs/decisions/README.md')
  expect(decisions.length).toBeLessThanOrEqual(31)
  for (const path of decisions) {
    const text = read(path)
    expect(list).toContain(`(${path.slice('docs/decisions/'.length)})`)
    const sections = [...text.matchAll(/^\*\*(.+?)\.\*\* /gm)].map(([, section]) => section)
    expect(sections, path).toEqual(['Context', 'Decision', 'Consequence'])
    expect(text.split(/\s+/).length, path).toBeLessThanOrEqual(175)
  }
})
