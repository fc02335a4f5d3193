import { execFile } from 'node:child_process'
import { chmod, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { DataFile } from '#server/platform/process/data-files.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { findBinariesOfVersion, findPostgresBinaries, type PostgresBinaries } from './binaries.ts'
import { explainFileError, makeDataDirTraversable, prepareDataDir, restrictDataDir } from './data-dir.ts'
import { makeScratchFolder, removeAbandonedScratch } from './scratch-folder.ts'
import { choosePostgresAccount, chownTree, type PostgresAccount, spawnArgumentsForAccount } from './server-account.ts'

const run = promisify(execFile)

/**
 * Superuser of the embedded cluster. It needs no password, because the folder's permissions (0700) restrict access to
 * the socket.
 */
export const clusterUser = 'portal'
/** Major version of the bundled PostgreSQL. */
export const majorVersion = '18'
const controlFileBytes = 8192

/** PostgreSQL cluster, whose folder may not exist yet. */
export type Cluster = { dataDir: string; folder: string; logFile: string; major: string }
/** Cluster other than the default one, which is DATA_DIR/postgres with the bundled version. */
export type ClusterIdentity = { name: string; major: string }
export type RunnableCluster = Cluster & { binaries: PostgresBinaries; account: PostgresAccount }

/**
 * Finds the cluster's folder.
 * @throws StartError if DATA_DIR cannot be created or written
 */
export async function locateCluster(
  dataDir: string,
  { name, major }: ClusterIdentity = { name: 'postgres', major: majorVersion },
): Promise<Cluster> {
  const real = await prepareDataDir(dataDir)
  return {
    dataDir: real,
    folder: join(real, name),
    logFile: join(real, name.replace(/^postgres/, 'postgres.log')),
    major,
  }
}

/**
 * @throws StartError if the way back from an upgrade was interrupted while it exchanged the data: the folder may lack the
 * database, and an empty one would take its place
 */
async function refuseHalfExchanged(dataDir: string): Promise<void> {
  const file = join(dataDir, 'upgrade-unfinished' satisfies DataFile)
  // Usually there is none.
  const state = await readFile(file, 'utf8').catch(() => '{}')
  if ('replaced' in JSON.parse(state))
    throw new StartError(
      `The way back from an upgrade of ${dataDir} was interrupted: portal upgrade --undo completes it`,
    )
}

/**
 * Creates the cluster if it does not exist. Otherwise, checks it for obvious damage.
 * @throws StartError that names the cause and a remedy
 */
export async function prepareCluster(cluster: Cluster): Promise<RunnableCluster> {
  const { dataDir, folder, major } = cluster
  try {
    await refuseHalfExchanged(dataDir)
    await removeAbandonedScratch(dataDir)
    const binaries =
      major === majorVersion ? await findPostgresBinaries(dataDir) : await findBinariesOfVersion(major, dataDir)
    const isNew = await isAbsentOrEmpty(folder)
    if (!isNew) await verifyCluster(cluster)
    await makeDataDirTraversable(dataDir)
    const account = await choosePostgresAccount(isNew ? null : folder, dataDir, binaries)
    const runnable = { ...cluster, binaries, account }
    await (isNew ? createCluster(runnable) : takeOver(runnable))
    await restrictDataDir(dataDir, account)
    return runnable
  } catch (error) {
    throw explainFileError(error, folder)
  }
}

/**
 * Corrects the owner and the permissions, because they are often wrong in a restored copy and PostgreSQL would refuse
 * to use it.
 */
async function takeOver({ folder, account }: RunnableCluster): Promise<void> {
  chownTree(account, folder)
  await chmod(folder, 0o700)
}

/**
 * Creates the cluster in a temporary folder and then renames it, so that a crash does not leave an incomplete cluster
 * behind.
 */
async function createCluster({ dataDir, folder, binaries, account }: RunnableCluster): Promise<void> {
  const draft = await makeScratchFolder(dataDir)
  try {
    chownTree(account, draft)
    const owner = [`--username=${clusterUser}`, '--auth=trust', '--no-instructions']
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const line = [binaries.initdb, `--pgdata=${draft}`, ...owner, ...locale]
    const { command, args, options } = spawnArgumentsForAccount(account, binaries, ...line)
    await run(command, args, options)
    await rename(draft, folder)
    const parent = await open(dataDir)
    await parent.sync().finally(() => parent.close())
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const { code, stderr } = errorFactsOf(error)
    const isMadeByOther = code === 'ENOTEMPTY' || code === 'EEXIST'
    if (isMadeByOther) return
    if (!stderr) throw error
    throw new StartError(describeClusterFailure(`The database in ${folder} cannot be created`, stderr), {
      cause: error,
    })
  }
}

async function verifyCluster({ folder, major }: Cluster): Promise<void> {
  const fail = (what: string) => {
    throw new StartError(`The database in ${folder} is damaged: ${what}. ${wayOut}`)
  }
  if (!(await stat(folder)).isDirectory()) fail('it is not a folder')
  const version = await readClusterVersion(folder)
  if (!version) fail('the file PG_VERSION is missing or empty')
  if (version !== major)
    throw new StartError(
      `The database in ${folder} was made by PostgreSQL ${version}, this portal brings ${majorVersion}: start the portal that made it, or move the folder away to start with an empty database`,
    )
  const control = await stat(join(folder, 'global/pg_control')).catch(ifMissing(null))
  if (control?.size !== controlFileBytes) fail(`the file global/pg_control is ${control ? 'truncated' : 'missing'}`)
}

/**
 * Reads the major version of a cluster.
 * @returns '' if there is no cluster
 */
export const readClusterVersion = async (folder: string): Promise<string> =>
  (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(ifMissing(''))).trim()

const wayOut = 'Restore it from a backup, or move the folder away to start with an empty database'

/** Describes a failure in one line: the first fatal message from initdb or the postmaster, and a remedy. */
export function describeClusterFailure(what: string, log: string): string {
  // Excludes log lines about connections during startup and shutdown, which do not explain the failure.
  const lines = log.split('\n').filter(line => !/the database system is |terminating connection/.test(line))
  const reason =
    lines.find(line => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.findLast(line => line.trim()) ?? 'no reason given'
  const isFull = /no space left|quota exceeded/i.test(log)
  return `${what}: ${reason.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '')}. ${isFull ? 'Free some disk space' : wayOut}`
}

const isAbsentOrEmpty = async (folder: string) => (await readdir(folder).catch(ifMissing([]))).length === 0

const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }

/** Role that executes the portal's statements. It owns everything in the database but is not a superuser. */
export const portalRole = 'portal_owner'

/**
 * SQL query for objects in the portal's schema that the superuser still owns, as in clusters of older versions or
 * restored copies. Sequences need no entry, because they change the owner together with their tables.
 */
const foreignObjects = `
  select format('alter table %s owner to ${portalRole}', oid::regclass) as command from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and relowner <> to_regrole('${portalRole}')
  union all select format('alter routine %s owner to ${portalRole}', oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace and proowner <> to_regrole('${portalRole}')`

/**
 * Creates the portal's database role and makes it the owner of the database and its objects, unless this was done
 * before.
 */
export async function preparePortalRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isReady: boolean }>(`
    select coalesce((select nspowner = to_regrole('${portalRole}') from pg_namespace where nspname = 'public'), false)
      and not exists (${foreignObjects}) as "isReady"`)
  if (rows[0]?.isReady) return
  await client.query(`
    do $$
    declare
      foreign_object record;
    begin
      -- tools and a portal may start at once
      perform pg_advisory_xact_lock(hashtext('portal role'));
      if not exists (select from pg_roles where rolname = '${portalRole}') then
        create role ${portalRole} login;
      end if;
      execute format('alter database %I owner to ${portalRole}', current_database());
      alter schema public owner to ${portalRole};
      for foreign_object in ${foreignObjects} loop
        execute foreign_object.command;
      end loop;
    end $$`)
}
