import { createInterface } from 'node:readline'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '#server/platform/postgres/embedded.ts'

/**
 * Child process for tests. Opens the database in argv[2] in the role argv[3] with the label argv[4], and prints `open`
 * or the error. Reads commands line by line: `write` inserts rows until the process ends and prints each id after its
 * commit; `stop` ends the process in an orderly manner.
 */
async function main([dataDir = '', role = '', processLabel = '']: string[]): Promise<void> {
  let embedded: EmbeddedPostgres
  try {
    embedded = await openEmbeddedPostgres({ dataDir, role: role as 'portal' | 'tool', processLabel })
  } catch (error) {
    console.log(`${error}`)
    return
  }
  const db = openDatabase({ connection: embedded.connection, timeZone: 'UTC', poolSize: 4 })
  // Several children may create the table concurrently, against which "if not exists" gives no protection.
  await db.execute(sql`
    do $$ begin
      perform pg_advisory_xact_lock(1);
      create table if not exists writes (id bigserial primary key);
    end $$`)
  console.log('open')

  const write = async () => {
    for (;;) console.log((await db.one<{ id: number }>(sql`insert into writes default values returning id`)).id)
  }
  for await (const command of createInterface({ input: process.stdin })) {
    if (command === 'write') for (let writer = 0; writer < 4; writer++) void write()
    if (command === 'stop') break
  }
  await db.close()
  await embedded.stop()
  console.log('stopped')
  process.stdin.destroy()
}

await main(process.argv.slice(2))
