import { expect, test } from 'vitest'
import { findViolations } from './structure.ts'

const texts = (file: string, de: object, en: object = de) => [
  { path: `src/i18n/de/${file}.json`, text: JSON.stringify(de) },
  { path: `src/i18n/en/${file}.json`, text: JSON.stringify(en) },
]

test('a source tree that follows the rules has no violations', () => {
  const files = [
    { path: 'contract/endpoints/courses.ts', text: "import * as v from 'valibot'" },
    { path: 'src/features/courses/store.ts', text: "import { api } from '#lib/api.ts'" },
    { path: 'src/features/courses/search/search-model.ts', text: '' },
    { path: 'src/features/courses/search/use-course-search.ts', text: '' },
    {
      path: 'src/features/courses/course-list-screen.tsx',
      text: "const text = () => { useTranslation('courses'); t('list.empty') }",
    },
    { path: 'src/features/courses/course-list-screen.module.css', text: '' },
    { path: 'src/features/courses/components/course-card.tsx', text: "import { x } from '../store.ts'" },
    { path: 'server/features/courses/rules.ts', text: 'export const isOpen = (now: Date) => now' },
    { path: 'server/platform/db/migrations/0001_initial.sql', text: 'create table courses ()' },
    { path: 'e2e/book-a-course.spec.ts', text: "import { test } from './fixtures.ts'" },
    ...texts('courses', { list: { empty: 'Nichts da' } }, { list: { empty: 'Nothing here' } }),
  ]
  expect(findViolations(files)).toEqual([])
})

test('migrations of two branches with the same number are rejected, because no portal would start', () => {
  const files = ['0128_absences.sql', '0128_reports.sql', '0129_unsubscribe.sql'].map(name => ({
    path: `server/platform/db/migrations/${name}`,
    text: '',
  }))
  expect(findViolations(files)).toEqual([
    'server/platform/db/migrations/0128_reports.sql: the number is that of 0128_absences.sql',
  ])
})

test.each([
  ['src/features/courses/CourseList.tsx', 'kebab-case'],
  ['src/features/courses/list.ts', 'neither a screen, a hook nor a layer'],
  ['src/features/halls/store.ts', 'none of the nouns'],
  ['src/features/courses/hooks/use-course.ts', 'no folder but components/'],
  ['src/features/courses/components/use-course.ts', 'a hook: it stands in the folder of its feature'],
  ['server/features/courses/handler.ts', 'no layer'],
  ['server/features/courses/sql/repository.ts', 'no folders'],
  ['src/lib/utils.ts', 'a drawer'],
  ['src/ui/index.ts', 'a drawer'],
  ['e2e/booking.test.ts', 'neither a spec nor fixtures'],
])('the file name %s is rejected: %s', (path, reason) => {
  expect(findViolations([{ path, text: '' }])).toEqual([expect.stringMatching(`^${path}: .*${reason}`)])
})

test.each([
  ['contract/endpoints/courses.ts', "import ky from 'ky'"],
  ['contract/endpoints/courses.ts', "import { x } from '#server/platform/config/config.ts'"],
  ['src/lib/format.ts', "import { x } from '#features/courses/store.ts'"],
  ['src/ui/empty.tsx', "import type { Course } from '#contract/endpoints/courses.ts'"],
  ['src/features/courses/store.ts', "import { x } from '#app/routes.tsx'"],
  ['src/features/courses/store.ts', "import { x } from '#features/session/api.ts'"],
  ['src/features/courses/store.ts', "const x = await import('../session/login-screen.tsx')"],
  ['src/app/app.tsx', "import { x } from '../sw/sw.ts'"],
  ['src/sw/sw.ts', "import { useSession } from '#features/session/store.ts'"],
  ['src/sw/sw.ts', "import { useState } from 'react'"],
  ['server/features/courses/service.ts', "import { x } from '#server/features/session/policy.ts'"],
  ['server/features/courses/service.ts', "import { x } from '#server/main.ts'"],
  ['server/platform/http/mount.ts', "import { x } from '#server/features/session/service.ts'"],
  ['server/features/courses/service.ts', "import { x } from '#server/office/frame/service.ts'"],
  ['server/main.ts', "import { x } from '#lib/format.ts'"],
  ['e2e/book-a-course.spec.ts', "import { x } from '#server/platform/config/config.ts'"],
])('%s must not import: %s', (path, text) => {
  expect(findViolations([{ path, text }])).toEqual([expect.stringMatching(`^${path}: may `)])
})

test('circular imports between files are rejected', () => {
  const files = [
    { path: 'server/platform/db/client.ts', text: "import { b } from './sql.ts'" },
    { path: 'server/platform/db/sql.ts', text: "import { c } from './cluster.ts'" },
    { path: 'server/platform/db/cluster.ts', text: "import { a } from './client.ts'" },
  ]
  expect(findViolations(files)).toEqual([
    expect.stringContaining('in a circle: server/platform/db/client.ts → server/platform/db/sql.ts'),
  ])
  const typeOnly = { path: 'server/platform/db/cluster.ts', text: "import type { A } from './client.ts'" }
  expect(findViolations([...files.slice(0, 2), typeOnly])).toHaveLength(1)
})

test('circular dependencies between features are rejected, even type-only ones', () => {
  const files = [
    {
      path: 'server/features/courses/rules.ts',
      text: "import type { Booking } from '#server/features/bookings/rules.ts'",
    },
    { path: 'server/features/bookings/service.ts', text: "export { x } from '#server/features/courses/service.ts'" },
  ]
  expect(findViolations(files)).toEqual([
    expect.stringMatching('^server/features/courses/: knows itself in a circle of rooms: .*bookings/ → .*courses/$'),
  ])
  const twoSides = { path: 'src/features/bookings/store.ts', text: "import { x } from '#features/courses/store.ts'" }
  expect(findViolations([files[0] ?? twoSides, twoSides])).toEqual([])
})

test.each([
  ['server/features/courses/rules.ts', 'const now = new Date()', 'asks a clock'],
  ['server/features/courses/policy.ts', 'const isLate = Date.now() > x', 'asks a clock'],
  ['src/features/courses/store.ts', 'const asOf = Date.now()', 'asks a clock of its own'],
  ['src/ui/as-of-line.tsx', 'const year = new Date().getUTCFullYear()', 'asks a clock of its own'],
  ['src/features/courses/search/filter-model.ts', "import { serverNow } from '#lib/clock.ts'", 'time is an argument'],
  ['src/ui/as-of-line.tsx', "import { serverNow } from '#lib/clock.ts'", 'lib/use-now.ts tells'],
  ['src/features/courses/model.ts', 'const hour = new Date(ms).getHours()', 'in the zone of the device'],
  ['src/ui/as-of-line.tsx', "const time = new Date(ms).toLocaleTimeString('de-DE')", 'in the zone of the device'],
  ['src/app/app.tsx', `// ${'TO'}DO later`, 'left to do'],
  ['server/features/courses/service.ts', 'sql`select 1`', 'holds SQL'],
  ['server/features/courses/acts/course.ts', 'sql`select 1`', 'holds SQL'],
  ['src/lib/storage.ts', 'export const both = { ...{ a, b }, c }', 'spreads what is written there'],
  ['src/lib/storage.ts', "export const both = [...(['a', 'b'] as const), c]", 'spreads what is written there'],
  ['src/features/inbox/store.ts', 'useSession.subscribe(load)', 'acts when it is imported'],
  ['src/lib/storage.ts', 'const read = () => { try { ask() } catch {} }', 'swallows an error'],
  ['src/lib/storage.ts', 'const read = () => { try { ask() } catch { noted = null } }', 'swallows an error'],
  ['src/lib/storage.ts', 'const read = () => ask().catch(() => null)', 'swallows an error'],
  ['server/platform/http/mount.ts', 'ask().then(send, () => undefined)', 'swallows an error'],
  [
    'src/features/courses/map-model.ts',
    '/* Date.now() */ const x = 1; import { now } from "#lib/clock.ts"',
    'time is an argument',
  ],
  ['src/app/shell/header.module.css', 'header { font: 700 25px / 1 var(--font-head); }', 'size of text in px'],
  ['src/app/shell/header.module.css', 'header { font-size: clamp(1rem, 5vw, 30px) }', 'size of text in px'],
])('%s must not contain: %s', (path, text, reason) => {
  expect(findViolations([{ path, text }])).toEqual([expect.stringMatching(`^${path}: .*${reason}`)])
})

test('a text that is missing in one language is reported', () => {
  expect(findViolations(texts('courses', { a: 'A', b: { c: 'C' } }, { a: 'A' }))).toEqual([
    'src/i18n/en: courses:b.c is missing',
  ])
})

test('texts with different placeholders and empty texts are reported', () => {
  expect(
    findViolations(texts('courses', { a: '{{count}} Plätze', b: 'B' }, { a: '{{places}} places', b: ' ' })),
  ).toEqual(['src/i18n: courses:a has other placeholders in German than in English', 'src/i18n: courses:b is empty'])
})

test.each([
  [
    'src/features/courses/course-list-screen.tsx',
    "const text = () => { useTranslation('courses'); t('missing') }",
    'courses:missing',
  ],
  ['src/app/app.tsx', "t('courses:missing')", 'courses:missing'],
  ['src/app/app.tsx', `t(\`courses:status.\${status}\`)`, 'courses:status.…'],
])('%s is reported for using an undefined text: %s', (path, text, key) => {
  expect(findViolations([{ path, text }, ...texts('courses', { places_one: '1', places_other: 'n' })])).toEqual([
    `${path}: the text ${key} does not exist`,
  ])
})

test('plural forms define a text, and an undefined server text is reported', () => {
  const plural = { path: 'src/app/app.tsx', text: "t('courses:places', { count })" }
  expect(findViolations([plural, ...texts('courses', { places_one: '1', places_other: 'n' })])).toEqual([])
  const server = { path: 'server/features/courses/service.ts', text: "translate(language, 'courses.full')" }
  expect(findViolations([server])).toEqual([`${server.path}: the text courses.full does not exist`])
})

test('the name of the operator is permitted in one file only', () => {
  const text = "const title = 'Werksport'"
  expect(findViolations([{ path: 'server/platform/config/config.ts', text }])).toEqual([
    expect.stringMatching(/name of the operator/),
  ])
  expect(findViolations([{ path: 'branding/branding.json', text }])).toEqual([])
})
