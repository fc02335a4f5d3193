import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { germanMessages, message } from './messages.ts'

test('messages are in the reader’s language, including nested ones', () => {
  const text = message`${message`"${'plan.pdf'}" ${message`is not a file`}`}: give one of them another name`
  expect(text.in('en')).toBe('"plan.pdf" is not a file: give one of them another name')
  expect(text.in('de')).toBe('„plan.pdf“ ist keine Datei: Geben Sie einer davon einen anderen Namen')
})

test('every message of the import has a German translation with the same values, and none is unused', async () => {
  const found = new Set<string>()
  const server = join(import.meta.dirname, '../..')
  for (const name of await readdir(server, { recursive: true })) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    const source = await readFile(join(server, name), 'utf8')
    if (!/from '.*\/messages\.ts'/.test(source)) continue
    for (const [, template = ''] of source.matchAll(/\bmessage`((?:\$\{[^}]*\}|[^`])*)`/g)) {
      let count = 0
      found.add(template.replace(/\$\{[^}]*\}/g, () => `{${count++}}`))
    }
  }
  expect(found.size).toBeGreaterThan(50)
  expect([...found].sort()).toEqual(Object.keys(germanMessages).sort())
  const values = (sentence: string) => sentence.match(/\{\d\}/g) ?? []
  for (const [english, german] of Object.entries(germanMessages)) expect(values(german)).toEqual(values(english))
})
