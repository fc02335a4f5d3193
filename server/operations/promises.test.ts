import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const file = join(import.meta.dirname, '../../docs/promises.md')
const page = readFileSync(file, 'utf8')
const alerts = readFileSync(join(dirname(file), 'operation/alerts.yml'), 'utf8')

/** Cells in all rows of tables with a column `alarm`. */
const rows = page
  .split(/\n{2,}/)
  .filter(part => /^\|.*\| alarm \|$/m.test(part))
  .flatMap(table =>
    table
      .split('\n')
      .filter(line => line.startsWith('| '))
      .slice(1),
  )
  .map(line => line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, '')))

/** `[words](path) "title of a test"` */
const proofsIn = (text: string) =>
  [...text.matchAll(/\]\((\S+\.test\.tsx?)\) "([^"]+)"/g)].map(([, path = '', title = '']) => ({ path, title }))

test('each promise names a test and an alarm', () => {
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    expect(proofsIn(row.at(-2) ?? ''), row[0]).not.toEqual([])
    expect(row.at(-1), row[0]).toMatch(/^(?:`\w+`(?:, `\w+`)*|none: \S.*)$/)
  }
})

test('each named test and alarm exists', () => {
  for (const { path, title } of proofsIn(page)) {
    const source = readFileSync(join(dirname(file), path), 'utf8')
    expect(source.includes(`'${title}'`), `${path}: ${title}`).toBe(true)
  }
  const named = [...page.matchAll(/`(Portal\w+)`/g)].map(([, alarm]) => alarm)
  for (const alarm of named) expect(alerts).toContain(`- alert: ${alarm}\n`)
})
