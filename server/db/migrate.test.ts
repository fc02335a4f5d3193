import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StartError } from '#server/start-error.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { openDatabase, sql } from './client.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
let folder: string
const write = (name: string, text: string) => writeFile(join(folder, name), text)

beforeEach(async () => {
  database = await createTestDatabase()
  await database.db.execute(sql`drop schema public cascade; create schema public`)
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await write('0001_people.sql', `create table people (id int primary key);\ncreate table pets (id int);`)
  await write(
    '0002_names.sql',
    `alter table people add column name text; insert into people values (1, 'O''Neill $1 ;');`,
  )
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

test('files are applied in order and once', async () => {
  expect(await migrate(database.db, folder)).toEqual(['0001_people.sql', '0002_names.sql'])
  expect(await migrate(database.db, folder)).toEqual([])
  await write('0003_more.sql', `insert into people values (2, 'Two')`)
  expect(await migrate(database.db, folder)).toEqual(['0003_more.sql'])
  expect(await database.db.query(sql`select name from people order by id`)).toEqual([
    { name: "O'Neill $1 ;" },
    { name: 'Two' },
  ])
})

test('several servers that start at once take turns', async () => {
  const servers = Array.from({ length: 4 }, () => openDatabase({ ...database, timeZone: 'UTC', poolSize: 1 }))
  const applied = await Promise.all(servers.map(db => migrate(db, folder)))
  expect(applied.flat().sort()).toEqual(['0001_people.sql', '0002_names.sql'])
  await Promise.all(servers.map(db => db.close()))
})

test('a failing migration leaves no trace, the earlier ones stay', async () => {
  await write('0003_broken.sql', `create table halfway (id int);\ninsert into nowhere values (1);`)
  await expect(migrate(database.db, folder)).rejects.toThrow(
    new StartError('Migration 0003_broken.sql failed in line 2: relation "nowhere" does not exist'),
  )
  expect(
    await database.db.one(sql`select to_regclass('halfway') as halfway, to_regclass('people')::text as people`),
  ).toEqual({
    halfway: null,
    people: 'people',
  })
})

test.each([
  ['changed after it was applied', '0001_people.sql', 'Migration 0001_people.sql was changed after it was applied'],
  ['with a number in use', '0002_twice.sql', 'have the same number'],
  ['with a wrong name', 'names.sql', 'is not named like 0001_name.sql'],
])('a migration %s stops the start', async (_, name, message) => {
  await migrate(database.db, folder)
  await write(name, 'select 1')
  const refusal = migrate(database.db, folder)
  await expect(refusal).rejects.toThrow(message)
  await expect(refusal).rejects.toBeInstanceOf(StartError)
})

test('line ends as another editor or checkout writes them are no change', async () => {
  await migrate(database.db, folder)
  await write('0001_people.sql', `create table people (id int primary key);\r\ncreate table pets (id int);`)
  expect(await migrate(database.db, folder)).toEqual([])
})

test('a database newer than the portal stops the start', async () => {
  await write('0003_future.sql', 'select 1')
  await migrate(database.db, folder)
  await rm(join(folder, '0003_future.sql'))
  await expect(migrate(database.db, folder)).rejects.toThrow(/newer than this portal: it has migration 0003_future.sql/)
})

test('a migration numbered below an applied one stops the start', async () => {
  await write('0004_late.sql', 'select 1')
  await migrate(database.db, folder)
  await write('0003_between.sql', 'select 1')
  await expect(migrate(database.db, folder)).rejects.toThrow(
    'Migration 0003_between.sql comes too late: the database already has 0004_late.sql',
  )
})
