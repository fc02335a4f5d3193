import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { PAGE_COLORS, renderColors } from './colors.ts'
import { applyBrandingToFiles, type FileContents } from './files.ts'
import { readBranding } from './read.ts'

const own = join(import.meta.dirname, '../../../branding')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'branding-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Json = Record<string, unknown>
/** Creates a branding folder with the changes that `change` makes. */
async function another(name: string, change: (json: Json) => unknown): Promise<string> {
  const target = join(folder, name)
  await cp(own, target, { recursive: true })
  const json = JSON.parse(await readFile(join(own, 'branding.json'), 'utf8'))
  const text = change(json)
  await writeFile(join(target, 'branding.json'), typeof text === 'string' ? text : JSON.stringify(json))
  return target
}

const set = (path: string, value: unknown) => (json: Json) => {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce((inner, name) => inner[name] as Json, json)
  if (value === undefined) delete parent[last]
  else parent[last] = value
}

test.each<[string, (json: Json) => unknown, string]>([
  ['no JSON', () => '{"portalName": ', 'is no JSON'],
  ['a field missing', set('privacyEmail', undefined), 'privacyEmail is missing'],
  ['an unknown field', set('team.2.nmae', 'Kaya'), 'team.2.nmae is not known'],
  ['an empty name', set('portalName', ' '), 'portalName must not be empty'],
  ['a name in only one language', set('department', { de: 'Sport' }), 'department.en is missing'],
  ['a number instead of a text', set('phone', 5300), 'phone must be string'],
  ['a colour name', set('colors.brand.light', 'teal'), 'colors.brand.light must be a colour as in #0d4f55'],
  ['a path outside the folder', set('divisions.0.logo', '../../data/a.svg'), 'divisions.0.logo must be the name'],
  [
    'white on a pale colour',
    set('colors.action.dark', '#ffb199'),
    'colors.action.dark #ffb199 has too little contrast with white text on it (1.74:1, at least 4.5:1)',
  ],
  [
    'a pale colour on the page',
    set('colors.link.light', '#7fb5b5'),
    'colors.link.light #7fb5b5 has too little contrast with the page',
  ],
  ['a missing logo file', set('divisions.1.logo', 'other.svg'), 'logos/other.svg is missing (divisions.1.logo)'],
])('%s stops the start with one line that names file and field', async (name, change, problem) => {
  const path = await another(name, change)
  const read = () => readBranding([path])
  expect(read).toThrow(problem)
  expect(read).toThrow(join(path, ''))
  expect(read).toThrow(/^Branding: [^\n]*$/)
})

test('the branding folder in DATA_DIR replaces the default one as a whole', async () => {
  await another('data/branding', set('portalName', 'Sportraum'))
  expect(readConfig({ DATA_DIR: join(folder, 'data') }).branding.portalName).toBe('Sportraum')
  expect(readConfig({ DATA_DIR: join(folder, 'data') }).mailFrom).toMatch(/^Sportraum </)
  expect(readConfig({ DATA_DIR: folder }).brandingFolder).toBe(own)
})

const textIn = (contents: FileContents, path: string) => Buffer.from(contents.get(path) ?? '').toString()
const app = (): FileContents =>
  new Map(
    Object.entries({
      '/index.html': '<title>{{portal}}</title><script id="branding">"{{branding}}"</script>',
      '/manifest.webmanifest': '{"name":"{{name}}","short_name":"{{portal}}","theme_color":"{{brandColor}}"}',
      '/page-heads.json': '{"/faq":{"title":"Fragen · {{portal}}","description":"{{department}}"}}',
      '/sw.js': 'precache([{"revision":null,"url":"branding-files"}])',
    }).map(([path, text]) => [path, new Uint8Array(Buffer.from(text))]),
  )

test('names are escaped for the format in which they are inserted', async () => {
  const name = `"A" </script><b>&`
  const path = await another('hostile', set('portalName', name))
  const contents = app()
  await applyBrandingToFiles(contents, readBranding([path]))
  const html = textIn(contents, '/index.html')
  expect(html).toContain('<title>&quot;A&quot; &lt;/script&gt;&lt;b&gt;&amp;</title>')
  expect(html.match(/<\/script>/g)).toHaveLength(1)
  expect(JSON.parse(/id="branding">(.*)<\/script>/.exec(html)?.[1] ?? '').portalName).toBe(name)
  expect(JSON.parse(textIn(contents, '/manifest.webmanifest'))).toMatchObject({
    name: `${name}: Kurse für Sport und Gesundheit`,
    short_name: name,
  })
  expect(JSON.parse(textIn(contents, '/page-heads.json'))['/faq'].title).toBe(`Fragen · ${name}`)
})

test('the service worker changes with each branding file and with no other, so that devices update', async () => {
  const workerOf = async (path: string) => {
    const contents = app()
    await applyBrandingToFiles(contents, readBranding([path]))
    return textIn(contents, '/sw.js')
  }
  const first = await workerOf(own)
  expect(first).not.toContain('branding-files')
  for (const url of [
    'index.html',
    'branding.css',
    'manifest.webmanifest',
    'icons/icon.svg',
    'icons/icon-192.png',
    'team/vogt.svg',
  ])
    expect(first).toContain(`"url":"${url}"`)
  expect(await workerOf(await another('same', () => undefined))).toBe(first)
  const withLogo = await another('logo', () => undefined)
  await writeFile(join(withLogo, 'logos/guss.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  expect(await workerOf(withLogo)).not.toBe(first)
  expect(await workerOf(await another('colour', set('colors.highlight.dark', '#ffe08a')))).not.toBe(first)
})

test('contrast is checked against the colours that the app uses', async () => {
  const tokens = await readFile(join(import.meta.dirname, '../../../src/app/theme/tokens.css'), 'utf8')
  const [light = '', dark = ''] = tokens.split('[data-mantine-color-scheme="dark"]')
  for (const [css, scheme] of [
    [light, PAGE_COLORS.light],
    [dark, PAGE_COLORS.dark],
  ] as const) {
    for (const [name, value] of Object.entries(scheme)) {
      const found = new RegExp(`--${name}:\\s*(#[0-9a-f]{3,6})`).exec(css)?.[1] ?? (css === dark ? value : '')
      expect(found.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'), name).toBe(value)
    }
  }
  // The position of the style sheet in the page does not matter.
  expect(renderColors(readBranding([own]).branding.colors)).toMatch(/^:root:root\{--hall:#0d4f55;/)
})
