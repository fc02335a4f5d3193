import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from './fixtures.ts'

const dist = join(import.meta.dirname, '../dist')

/** What each script takes from the others, by their names. */
async function readImports() {
  const files = (await readdir(join(dist, 'assets'), { recursive: true })).filter(file => file.endsWith('.js'))
  return Promise.all(
    files.map(async file => {
      const text = await readFile(join(dist, 'assets', file), 'utf8')
      const taken = [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*["'`]([^"'`]+)["'`]/g)].flatMap(
        ([, names = '', from = '']) =>
          names.split(',').map(name => `${basename(from)} ${name.split(' as ')[0]?.trim()}`),
      )
      return { isOfDesk: file.startsWith('office'), taken }
    }),
  )
}

/** The scripts of the pages that visitors open first, by their names. */
async function readFirstScripts(): Promise<string[]> {
  const page = await readFile(join(dist, 'index.html'), 'utf8')
  return [...new Set([...page.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, name = '']) => name))]
}

// What a first script holds and only the desk takes would be fetched by everybody, for the department alone.
test('the desk takes nothing from the scripts of a first view that others do not take, too', async () => {
  const [imports, first] = await Promise.all([readImports(), readFirstScripts()])
  const takenBy = (isDesk: boolean) =>
    new Set(imports.filter(({ isOfDesk }) => isOfDesk === isDesk).flatMap(({ taken }) => taken))
  const [ofDesk, ofOthers] = [takenBy(true), takenBy(false)]
  const ofFirst = [...ofDesk].filter(name => first.some(script => name.startsWith(`${script} `)))
  expect(ofFirst.length).toBeGreaterThan(20)
  expect(ofFirst.filter(name => !ofOthers.has(name))).toEqual([])
})
