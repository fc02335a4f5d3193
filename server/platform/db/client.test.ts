import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#server/test/database.ts'
import { startFaultProxy, targetOf, throughProxy } from '#server/test/fault-proxy.ts'
import { openDatabase, sql } from './client.ts'
import { withSnapshot } from './copies/snapshot.ts'
import { isUnavailable } from './unavailable.ts'

const { db, connection, url } = await openTestDatabase()
await db.execute(sql`create table notes (id int primary key, text text not null unique)`)

test('values are sent separately from the text, and fragments become part of it', async () => {
  const conditions = [sql`text like ${'%a%'}`, sql`id > ${1}`, sql`${true}`]
  const fragment = sql`select ${"it's; --"} as quote where ${sql.join(conditions, sql` and `)} ${sql.empty}`
  expect(fragment.text).toBe('select $1 as quote where text like $2 and id > $3 and $4 ')
  expect(fragment.values).toEqual(["it's; --", '%a%', 1, true])
})

test('settings of a role or database do not change what is read', async () => {
  const options = '-c datestyle=SQL,DMY -c timezone=America/New_York -c default_transaction_isolation=serializable'
  const other = openDatabase({ connection: { connectionString: url, options }, timeZone: 'Europe/Berlin' })
  const read = await other.one(sql`
    select timestamptz '2100-12-01T17:00:00Z' as moment, (timestamptz '2100-12-01T23:30:00Z')::date as day,
      timestamp '2100-12-01 18:00' as "local", current_setting('transaction_isolation') as isolation`)
  await other.close()
  const [moment, local] = [new Date('2100-12-01T17:00:00Z'), '2100-12-01 18:00:00']
  expect(read).toEqual({ moment, day: '2100-12-02', local, isolation: 'read committed' })
})

test('a prepared statement still works after its table has changed', async () => {
  await db.execute(sql`create table changing (id int primary key)`)
  await db.execute(sql`insert into changing values (${1}::int)`)
  const find = () => db.query(sql`select * from changing where id = ${1}`)
  // The statement is prepared on several connections.
  await Promise.all(Array.from({ length: 8 }, find))
  await db.execute(sql.raw('alter table changing add column text text; update changing set text = id::text'))
  expect(await Promise.all(Array.from({ length: 8 }, find))).toEqual(Array(8).fill([{ id: 1, text: '1' }]))
  await db.execute(sql.raw('alter table changing drop column text'))
  expect(await db.transaction(tx => tx.query(sql`select * from changing where id = ${1}`))).toEqual([{ id: 1 }])
})

test('an unlimited number of statements works, planned on each execution', async () => {
  const open = openDatabase({ connection, timeZone: 'Europe/Berlin', poolSize: 1 })
  for (let length = 1; length <= 520; length++) {
    const numbers = Array.from({ length }, (_, index) => sql`${index}::int`)
    expect(await open.one(sql`select array_length(array[${sql.join(numbers)}], 1) as length`)).toEqual({ length })
  }
  const { planned } = await open.one<{ planned: number }>(sql`
    select count(*)::int as planned from pg_prepared_statements where name like ${'s%'}`)
  expect(planned).toBe(500)
  await open.close()
})

test('an undefined value is rejected', () => {
  expect(() => sql`select ${undefined}`).toThrow(/undefined after "select"/)
})

test('columns have the documented types', async () => {
  const row = await db.one(sql`select
    9007199254740991::int8 as id, 12.50::numeric as price, date '2026-03-29' as day, time '07:05' as start,
    timestamp '2026-03-29 02:30' as local, timestamptz '2026-03-29 03:30+02' as instant, '\\x00ff'::bytea as bytes,
    '{"a": [1]}'::jsonb as data, array[date '2026-01-01', null] as days, array[1.5, 2]::numeric[] as prices, ${['a', 'b']}::text[] as names`)
  expect(row).toEqual({
    id: 9007199254740991,
    price: 12.5,
    day: '2026-03-29',
    start: '07:05:00',
    local: '2026-03-29 02:30:00',
    instant: new Date('2026-03-29T01:30:00Z'),
    bytes: Buffer.from([0, 255]),
    data: { a: [1] },
    days: ['2026-01-01', null],
    prices: [1.5, 2],
    names: ['a', 'b'],
  })
  await expect(db.one(sql`select 9007199254740993::int8 as id`)).rejects.toThrow(RangeError)
})

test('arrays are returned as they were sent, whatever they contain', async () => {
  const lists = {
    numbers: [1, -2, 0.5, 9007199254740991, null],
    truths: [true, null, false],
    texts: ['a', null, 'a "b" {c}, \\d', 'null', ''],
    bytes: [Buffer.from([0, 255]), Buffer.from('{')],
    none: [],
  }
  expect(
    await db.one(sql`select ${lists.numbers}::numeric[] as numbers, ${lists.truths}::boolean[] as truths,
      ${lists.texts}::text[] as texts, ${lists.bytes}::bytea[] as bytes, ${lists.none}::int[] as none`),
  ).toEqual(lists)
  await expect(db.one(sql`select ${[Number.NaN]}::int[] as numbers`)).rejects.toThrow('NaN')
})

test('every connection uses the portal’s time zone', async () => {
  const zones = await Promise.all(
    Array.from({ length: 5 }, () =>
      db.one<{ zone: string; at: string }>(
        sql`select current_setting('TimeZone') as zone, timestamptz '2026-07-01 12:00Z'::timestamp as at, pg_sleep(0.01)`,
      ),
    ),
  )
  for (const { zone, at } of zones) expect({ zone, at }).toEqual({ zone: 'Europe/Berlin', at: '2026-07-01 14:00:00' })
})

test('one row, an optional row and too many rows are distinguished', async () => {
  await expect(db.one(sql`select 1 where false`)).rejects.toThrow('no row: select 1 where false')
  await expect(db.maybeOne(sql`select 1 where false`)).resolves.toBeNull()
  await expect(db.maybeOne(sql`select generate_series(1, 2)`)).rejects.toThrow('2 rows instead of one')
})

test('a transaction is all or nothing', async () => {
  const failing = db.transaction(async tx => {
    expect(await tx.execute(sql`insert into notes values (1, 'a'), (2, 'b')`)).toBe(2)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await db.query(sql`select * from notes`)).toEqual([])
})

test('the error of a rejected statement has the SQLSTATE, and the connection remains usable', async () => {
  const single = openDatabase({ connection, timeZone: 'UTC', poolSize: 1 })
  const before = await single.one(sql`select pg_backend_pid() as pid`)
  await expect(single.execute(sql`insert into notes values (3, 'c'), (3, 'd')`)).rejects.toMatchObject({
    code: '23505',
  })
  expect(await single.one(sql`select pg_backend_pid() as pid`)).toEqual(before)
  await single.close()
})

test('a transaction is retried after a deadlock', async () => {
  await db.execute(sql`insert into notes values (10, 'x'), (11, 'y')`)
  let runs = 0
  let holding = 0
  const bothHoldARow = Promise.withResolvers<void>()
  const touch = (one: number, other: number) =>
    db.transaction(async tx => {
      runs++
      // The transactions conflict only at first, because on a busy machine the same two would conflict again and again.
      const [first, second] = runs <= 2 ? [one, other] : [10, 11]
      await tx.execute(sql`update notes set text = text || '.' where id = ${first}`)
      holding++
      if (holding === 2) bothHoldARow.resolve()
      await bothHoldARow.promise
      await tx.execute(sql`update notes set text = text || '.' where id = ${second}`)
    })
  await Promise.all([touch(10, 11), touch(11, 10)])
  // The server may abort both transactions.
  expect(runs).toBeGreaterThanOrEqual(3)
  expect(await db.query(sql`select text from notes where id in (10, 11) order by id`)).toEqual([
    { text: 'x..' },
    { text: 'y..' },
  ])
})

test('a transaction succeeds at the third attempt after two deadlocks, and there is no fourth attempt', async () => {
  const deadlock = sql`do $$ begin raise exception 'again' using errcode = '40P01'; end $$`
  const meet = async (times: number) => {
    let runs = 0
    const answer = await db
      .transaction(async tx => {
        runs += 1
        if (runs <= times) await tx.execute(deadlock)
        return 'through'
      })
      .catch((error: { code: string }) => error.code)
    return { answer, runs }
  }
  expect(await meet(2)).toEqual({ answer: 'through', runs: 3 })
  expect(await meet(3)).toEqual({ answer: '40P01', runs: 3 })
})

test('a single statement is retried after deadlocks', async () => {
  // A sequence counts the attempts, because it is not rolled back.
  await db.execute(sql`create sequence attempts`)
  const meet = sql`do $$ begin if nextval('attempts') <= 2 then raise exception 'again' using errcode = '40P01'; end if; end $$`
  await db.execute(meet)
  expect(await db.one(sql`select last_value::int as attempts from attempts`)).toEqual({ attempts: 3 })
})

test('a statement that takes too long is cancelled', async () => {
  const hasty = openDatabase({ connection, timeZone: 'UTC', statementTimeoutMs: 50 })
  await expect(hasty.query(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
  await hasty.close()
})

test('lost connections harm neither the process nor the next query', async () => {
  const pool = openDatabase({ connection, timeZone: 'UTC', poolSize: 3 })
  const pid = async () => (await pool.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid
  const kill = (target: number) => db.execute(sql`select pg_terminate_backend(${target}, 5000)`)
  await kill(await pid())
  await sleep(20)
  const next = await pid()
  const inTransaction = pool.transaction(async tx => {
    await kill((await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid)
    await sleep(20)
    await tx.query(sql`select 1`)
  })
  await expect(inTransaction).rejects.toThrow()
  expect(await pid()).not.toBe(next)
  await pool.close()
})

test('stalls of this process are not treated as an unresponsive database', async () => {
  const stalled = openDatabase({ connection, timeZone: 'Europe/Berlin', connectTimeoutMs: 300 })
  try {
    const answers = Promise.all(Array.from({ length: 5 }, () => stalled.one(sql`select 1 as one`)))
    answers.catch(() => undefined)
    for (let round = 0; round < 4; round++) {
      const until = performance.now() + 400
      while (performance.now() < until);
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(await answers).toEqual(Array(5).fill({ one: 1 }))
  } finally {
    await stalled.close()
  }
})

test('a large result that this process reads slowly is not treated as a lost connection', async () => {
  const slow = openDatabase({ connection, timeZone: 'Europe/Berlin' })
  const stall = async () => {
    for (let round = 0; round < 15; round++) {
      const until = performance.now() + 300
      while (performance.now() < until);
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  try {
    const reading = slow.query(sql`select n, repeat('x', 1000) as text from generate_series(1, 50000) n`)
    const [rows] = await Promise.all([reading, stall()])
    expect(rows).toHaveLength(50_000)
  } finally {
    await slow.close()
  }
}, 60_000)

test('a statement of a portal that is stopping fails as unavailable', async () => {
  const stopped = openDatabase({ connection, timeZone: 'Europe/Berlin' })
  await stopped.close()
  expect(await stopped.query(sql`select 1`).catch(isUnavailable)).toBe(true)
})

test('a backup that loses its connection fails as unavailable, without an unhandled error', async () => {
  const proxy = await startFaultProxy(targetOf(url))
  try {
    const losing = withSnapshot({ connectionString: throughProxy(url, proxy) }, async ({ client }) => {
      const waiting = client.query('select pg_sleep(60)')
      await Promise.all([waiting, proxy.be('reset')])
    })
    expect(await losing.catch(error => isUnavailable(error) || String(error))).toBe(true)
  } finally {
    await proxy.close()
  }
})
