import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sql } from '#server/platform/db/client.ts'
import { openTestDatabase } from '#server/test/database.ts'
import { sweepMailFolder } from './mail-folder.ts'

const { db } = await openTestDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'mail-folder-'))
afterAll(() => rm(dataDir, { recursive: true }))

test('a missing folder is ignored', async () => {
  expect(await sweepMailFolder(db, dataDir)).toBe(0)
})

test('an e-mail file is deleted with its row and an abandoned draft after an hour, and nothing else', async () => {
  const [kept, gone] = await db.query<{ id: number }>(sql`
    insert into mails (recipient, language, kind)
    values ('a@demo.example', 'de', 'password-changed'), ('b@demo.example', 'de', 'password-changed') returning id`)
  const nameOf = (row?: { id: number }) => `${String(row?.id).padStart(8, '0')}.eml`
  const folder = join(dataDir, 'outbox')
  await mkdir(folder)
  const drafts = { young: `${nameOf(kept)}.71.tmp`, old: `${nameOf(kept)}.70.tmp`, orphan: `${nameOf(gone)}.72.tmp` }
  const names = [nameOf(kept), nameOf(gone), ...Object.values(drafts), 'notes.txt', '123456789.eml']
  for (const name of names) await writeFile(join(folder, name), '')
  const long = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(folder, drafts.old), long, long)
  await db.execute(sql`delete from mails where id = ${gone?.id}`)
  expect(await sweepMailFolder(db, dataDir)).toBe(4)
  expect((await readdir(folder)).sort()).toEqual([nameOf(kept), drafts.young, 'notes.txt'].sort())
})
