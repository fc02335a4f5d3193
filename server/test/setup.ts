import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase, sql } from '#server/db/client.ts'
import { migrate } from '#server/db/migrate.ts'
import { clusterUser } from '#server/postgres/cluster.ts'
import { openEmbeddedPostgres } from '#server/postgres/embedded.ts'
import { stopPostmaster } from '#server/postgres/postmaster.ts'
import { isProcessAlive } from '#server/postgres/scratch-folder.ts'
import { startExternalPostgres } from './external-postgres.ts'

const folderPrefix = 'portal-tests-'

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded PostgreSQL, or one as an operator would bring it, over TCP. */
    databaseKind: 'embedded' | 'external'
    /** URL of a migrated, otherwise empty database that is only copied from. */
    templateUrl: string
  }
}

/** Once per test run: a server, and in it a migrated database from which every test file gets its copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const isExternal = project.getProvidedContext().databaseKind === 'external'
  const server = isExternal ? await startExternalPostgres() : await startEmbedded()
  try {
    const dropTemplate = await createTemplate(server.url, project)
    return () => dropTemplate().finally(server.stop)
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function createTemplate(serverUrl: string, project: TestProject): Promise<() => Promise<void>> {
  const template = `template_${randomBytes(6).toString('hex')}`
  const templateUrl = withDatabase(serverUrl, template)
  await execute(serverUrl, `create database ${template}`)
  const db = openDatabase({ connection: { connectionString: templateUrl }, timeZone: 'UTC', poolSize: 1 })
  await migrate(db).finally(() => db.close())
  project.provide('templateUrl', templateUrl)
  return () => execute(serverUrl, `drop database ${template} with (force)`)
}

/** Runs one statement of an administrator, over a connection of its own. */
export async function execute(url: string, statement: string): Promise<void> {
  const db = openDatabase({ connection: { connectionString: url }, timeZone: 'UTC', poolSize: 1 })
  await db.execute(sql.raw(statement)).finally(() => db.close())
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

async function startEmbedded() {
  await stopAbandoned()
  const dataDir = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  await chmod(dataDir, 0o711)
  // Nothing in it outlives the run, so nothing waits for the disk.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' }
  const { connection, stop } = await openEmbeddedPostgres({ dataDir, processLabel: 'tests', role: 'tool', settings })
  // Databases are the superuser's to make.
  const url = `postgresql://${clusterUser}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`
  return { url, stop: () => stop().then(() => rm(dataDir, { recursive: true, force: true })) }
}

/** A killed test run leaves its server behind; the next one clears it away. */
async function stopAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(folderPrefix) && Number.parseInt(name.slice(folderPrefix.length), 10)
    if (!pid || isProcessAlive(pid)) continue
    await stopPostmaster({ folder: join(tmpdir(), name, 'postgres') })
    await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}
