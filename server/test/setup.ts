import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase, sql } from '#server/platform/db/client.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { clusterUser } from '#server/platform/postgres/cluster.ts'
import { openEmbeddedPostgres } from '#server/platform/postgres/embedded.ts'
import { stopPostmaster } from '#server/platform/postgres/postmaster.ts'
import { isProcessAlive } from '#server/platform/postgres/scratch-folder.ts'
import { startExternalPostgres } from './external-postgres.ts'

const folderPrefix = 'portal-tests-'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether tests use the embedded PostgreSQL or an external one over TCP. */
    databaseKind: 'embedded' | 'external'
    /** URL of a migrated, otherwise empty database that serves only as a template. */
    templateUrl: string
  }
}

/** Runs once per test run: starts a server and creates a migrated database, of which every test file gets a copy. */
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

/** Executes one statement as administrator over a separate connection. */
export async function execute(url: string, statement: string): Promise<void> {
  const db = openDatabase({ connection: { connectionString: url }, timeZone: 'UTC', poolSize: 1 })
  await db.execute(sql.raw(statement)).finally(() => db.close())
}

/** URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

async function startEmbedded() {
  await stopAbandoned()
  const dataDir = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  await chmod(dataDir, 0o711)
  // The data is discarded after the run, so the server need not wait for the disk.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' }
  const { connection, stop } = await openEmbeddedPostgres({ dataDir, processLabel: 'tests', role: 'tool', settings })
  // Only the superuser may create databases.
  const url = `postgresql://${clusterUser}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`
  return { url, stop: () => stop().then(() => rm(dataDir, { recursive: true, force: true })) }
}

/** Stops and removes the servers that killed test runs have left behind. */
async function stopAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(folderPrefix) && Number.parseInt(name.slice(folderPrefix.length), 10)
    if (!pid || isProcessAlive(pid)) continue
    await stopPostmaster({ folder: join(tmpdir(), name, 'postgres') })
    await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}
