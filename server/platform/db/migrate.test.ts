import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StartError } from '#server/platform/process/start-error.ts'
import { createTestDatabase, type TestDatabase } from '#server/test/database.ts'
import { openDatabase, sql } from './client.ts'
import { type AppliedMigration, isMigrated, migrate, migrateTo, migrationsFolder } from './migrate.ts'

let database: TestDatabase
let folder: string
const sha256Of = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
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

/** Of each release: number of its newest migration, and the hash of the hashes of its files. */
const RELEASED: Record<string, [newest: number, sha256: string]> = {
  '2.0.0': [71, '816028fe42a6ed597a1c0f9658b0062b62dfc30f51a4eba8b679713f78fa919f'],
}

test.each(Object.entries(RELEASED))('the migrations of %s are unchanged, even in their comments', async (_, wanted) => {
  // Otherwise no portal starts on a database of that release.
  const [newest, sha256] = wanted
  const names = (await readdir(migrationsFolder)).filter(name => Number(name.slice(0, 4)) <= newest).sort()
  const files = await Promise.all(names.map(name => readFile(join(migrationsFolder, name))))
  expect(sha256Of(files.map(sha256Of).join())).toBe(sha256)
})

test('a database and a backup from the days when 0057 was reworded are accepted', async () => {
  const { db } = database
  await migrate(db)
  await db.execute(
    sql`update migrations set checksum = '7004cece84ed72d8ef35f806f6b77ded212a1db89b3dd926fd92083219b402e4' where number = 57`,
  )
  expect(await isMigrated(db)).toBe(false)
  const history = await db.query<AppliedMigration>(sql`select number, name, checksum from migrations`)
  expect(await migrate(db)).toEqual([])
  expect(await isMigrated(db)).toBe(true)
  await db.execute(sql`drop schema public cascade; create schema public`)
  await db.transaction(tx => migrateTo(tx, history))
  expect(await isMigrated(db)).toBe(true)
})

test('files are applied in order and only once', async () => {
  expect(await migrate(database.db, folder)).toEqual(['0001_people.sql', '0002_names.sql'])
  expect(await migrate(database.db, folder)).toEqual([])
  await write('0003_more.sql', `insert into people values (2, 'Two')`)
  expect(await migrate(database.db, folder)).toEqual(['0003_more.sql'])
  expect(await database.db.query(sql`select name from people order by id`)).toEqual([
    { name: "O'Neill $1 ;" },
    { name: 'Two' },
  ])
})

test('servers that start concurrently apply migrations one at a time', async () => {
  const servers = Array.from({ length: 4 }, () => openDatabase({ ...database, timeZone: 'UTC', poolSize: 1 }))
  const applied = await Promise.all(servers.map(db => migrate(db, folder)))
  expect(applied.flat().sort()).toEqual(['0001_people.sql', '0002_names.sql'])
  await Promise.all(servers.map(db => db.close()))
})

test('a failing migration is rolled back, and earlier ones remain applied', async () => {
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
  ['with a duplicate number', '0002_twice.sql', 'have the same number'],
  ['with an invalid name', 'names.sql', 'is not named like 0001_name.sql'],
])('a migration %s prevents the start', async (_, name, message) => {
  await migrate(database.db, folder)
  await write(name, 'select 1')
  const refusal = migrate(database.db, folder)
  await expect(refusal).rejects.toThrow(message)
  await expect(refusal).rejects.toBeInstanceOf(StartError)
})

test('different line endings are not treated as a change', async () => {
  await migrate(database.db, folder)
  await write('0001_people.sql', `create table people (id int primary key);\r\ncreate table pets (id int);`)
  expect(await migrate(database.db, folder)).toEqual([])
})

test('a database that is newer than the portal prevents the start', async () => {
  await write('0003_future.sql', 'select 1')
  await migrate(database.db, folder)
  await rm(join(folder, '0003_future.sql'))
  await expect(migrate(database.db, folder)).rejects.toThrow(/newer than this portal: it has migration 0003_future.sql/)
})

test('a missing migration numbered below an applied one is applied', async () => {
  await write('0004_early.sql', `alter table people add column early int;`)
  await migrate(database.db, folder)
  await write('0003_between.sql', `alter table people add column between_both int;`)
  expect(await migrate(database.db, folder)).toEqual(['0003_between.sql'])
  expect(await migrate(database.db, folder)).toEqual([])
})

describe('a migration in steps', () => {
  const STEPS = `-- What takes long, beside portals that serve.

-- step
create index concurrently if not exists people_name on people (name);

-- step, until nothing changes
-- Each lot is committed.
update people set name = 'number ' || id, touched = touched + 1
where id in (select id from people where name is null order by id limit 100);

-- step
create unique index concurrently if not exists people_full_name on people (name, id)
`
  beforeEach(async () => {
    await write('0003_many.sql', `alter table people add column touched int not null default 0;`)
    await migrate(database.db, folder)
    await database.db.execute(sql`insert into people select number from generate_series(100, 3099) number`)
    await write('0004_steps.sql', STEPS)
  })

  const open = () => openDatabase({ ...database, timeZone: 'UTC', poolSize: 1 })
  const count = async (from: string) =>
    (await database.db.one<{ n: number }>(sql.raw(`select count(*)::int as n from ${from}`))).n
  const INVALID = 'pg_index where not indisvalid'
  const until = async (reached: () => Promise<boolean>) => {
    while (!(await reached())) await sleep(5)
  }
  /** Runs migrations like a portal's start, and nothing else. */
  const startOther = () =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { openDatabase } from '#server/platform/db/client.ts'
        import { migrate } from '#server/platform/db/migrate.ts'
        const db = openDatabase({ connection: { connectionString: process.env.URL }, timeZone: 'UTC', poolSize: 1 })
        await migrate(db, process.env.FOLDER)
        await db.close()`,
      ],
      { env: { ...process.env, URL: database.url, FOLDER: folder }, stdio: ['ignore', 'inherit', 'inherit'] },
    )
  /** Blocks the fill at these rows until it is released. */
  const GATES = [600, 1_600, 2_600]
  async function closeGates() {
    await database.db.execute(
      sql.raw(`
        create function wait() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock_shared(new.id); return new; end $$;
        create trigger wait before update on people for each row when (new.id in (${GATES})) execute function wait()`),
    )
    const gates = new pg.Client({ connectionString: database.url })
    await gates.connect()
    for (const id of GATES) await gates.query('select pg_advisory_lock($1)', [id])
    return gates
  }
  /** Holds a transaction for which building an index must wait, until it is released. */
  async function holdTable() {
    const holder = open()
    let letGo = () => {}
    const held = new Promise<void>(holds => {
      void holder
        .transaction(async tx => {
          await tx.execute(sql`update people set touched = 1 where id = 1`)
          holds()
          await new Promise<void>(end => {
            letGo = end
          })
        })
        .then(() => holder.close())
    })
    await held
    return () => letGo()
  }

  test('resumes at the next start after a kill of the portal or database during an index or a fill', async () => {
    const gates = await closeGates()
    let letGo = await holdTable()
    const first = startOther()
    await until(async () => (await count(INVALID)) === 1)
    first.kill('SIGKILL')
    // The statement of the killed portal continues until the database dies, too.
    const second = startOther()
    await database.db.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where query ilike '%create index concurrently%' and pid <> pg_backend_pid()`)
    letGo()
    for (const id of GATES) {
      const killed = id === GATES[0] ? second : startOther()
      await until(async () => (await count(`pg_locks where objid = ${id} and not granted`)) === 1)
      killed.kill('SIGKILL')
      await once(killed, 'close')
      await gates.query('select pg_advisory_unlock($1)', [id])
    }
    await gates.end()
    expect(await count('people where name is null')).toBeGreaterThan(0)
    letGo = await holdTable()
    const last = startOther()
    await until(async () => (await count(INVALID)) === 1)
    letGo()
    await once(last, 'close')
    expect(last.exitCode).toBe(0)
    expect(await count(INVALID)).toBe(0)
    expect(await count(`pg_class where relname in ('people_name', 'people_full_name')`)).toBe(2)
    expect(await count(`people where id >= 100 and touched = 1 and name = 'number ' || id`)).toBe(3_000)
    expect(await migrate(database.db, folder)).toEqual([])
  }, 60_000)

  test('two concurrent starts apply it once, and do not block each other’s index', async () => {
    const letGo = await holdTable()
    const servers = [open(), open()]
    const told: string[] = []
    const migrating = Promise.all(servers.map(db => migrate(db, folder, line => told.push(line))))
    await until(async () => (await count(INVALID)) === 1)
    // Longer than the database's deadlock timeout.
    await sleep(1_500)
    letGo()
    expect((await migrating).flat()).toEqual(['0004_steps.sql'])
    expect(told).toEqual([1, 2, 3].map(step => `0004_steps.sql: step ${step} of 3 …`))
    expect(await count('people where touched > 1')).toBe(0)
    await Promise.all(servers.map(db => db.close()))
  })

  test('in a database without other users, as in a restore, it runs in one transaction', async () => {
    const history = await database.db.query<AppliedMigration>(sql`select number, name, checksum from migrations`)
    await migrate(database.db, folder)
    const all = await database.db.query<AppliedMigration>(sql`select number, name, checksum from migrations`)
    await database.db.execute(sql`drop schema public cascade; create schema public`)
    expect(all.length).toBe(history.length + 1)
    await database.db.transaction(tx => migrateTo(tx, all, folder))
    expect(await count(`pg_class where relname in ('people_name', 'people_full_name')`)).toBe(2)
  })

  test.each([
    ['two statements in a step', '-- step\nselect 1;\nselect 2;', 'has more or less than one statement below line 1'],
    ['a statement above the first step', 'select 1;\n-- step\nselect 2;', 'has a statement above its first step'],
    ['a step that fails', '-- why\n-- step\nselect 1;\n-- step\nselect\n  nowhere;', 'failed in line 6: column'],
  ])('%s prevents the start', async (_, text, message) => {
    await write('0004_steps.sql', text)
    await expect(migrate(database.db, folder)).rejects.toThrow(message)
  })
})
