import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from './fixtures.ts'

const dist = join(import.meta.dirname, '../dist')

/** The names that each script imports from the others. */
async function readImports() {
  const files = (await readdir(join(dist, 'assets'), { recursive: true })).filter(file => file.endsWith('.js'))
  return Promise.all(
    files.map(async file => {
      const text = await readFile(join(dist, 'assets', file), 'utf8')
      const taken = [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["'`]([^"'`]+)["'`]/g)].flatMap(
        ([, names = '', from = '']) =>
          names.split(',').map(name => `${basename(from)} ${name.split(' as ')[0]?.trim()}`),
      )
      return { isOfDesk: /^office[\\/]/.test(file), taken }
    }),
  )
}

/** File names of the scripts on the pages that visitors open first. */
async function readFirstScripts(): Promise<string[]> {
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  return [...new Set([...page.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name))]
}

/** Whether a script itself uses one of its exports: the definition and the export already account for two mentions. */
async function usesItself(entry: string): Promise<boolean> {
  const [script = '', name = ''] = entry.split(' ')
  const text = await readFile(join(dist, 'assets', script), 'utf8')
  const local = [...text.matchAll(/export\s*\{([^}]*)\}/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map(part => part.trim().split(' as '))
    .find(([own = '', exported = own]) => exported === name)?.[0]
  if (local === undefined) return false
  return text.split(new RegExp(`(?<![\\w$.])${local.replaceAll('$', '\\$')}(?![\\w$])`)).length - 1 > 2
}

// Code in a first script that only the office imports would be downloaded by all visitors.
test('the scripts of the first view contain no exports that only the office UI uses @extended', async () => {
  const [imports, first] = await Promise.all([readImports(), readFirstScripts()])
  const takenBy = (isDesk: boolean) =>
    new Set(imports.filter(({ isOfDesk }) => isOfDesk === isDesk).flatMap(({ taken }) => taken))
  const [ofDesk, ofOthers] = [takenBy(true), takenBy(false)]
  const ofFirst = [...ofDesk].filter(name => first.some(script => name.startsWith(`${script} `)))
  expect(ofFirst.length).toBeGreaterThan(20)
  const onlyOfDesk = []
  for (const name of ofFirst) if (!ofOthers.has(name) && !(await usesItself(name))) onlyOfDesk.push(name)
  expect(onlyOfDesk).toEqual([])
})
