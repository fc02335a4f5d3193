import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { commandLine } from '#server/platform/config/config.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import {
  bringBackUnfinished,
  type DataCopy,
  findUnfinishedUpgrade,
  forgetUnfinishedUpgrade,
  prepareDataCopy,
  removeIncompleteCopies,
  type UnfinishedUpgrade,
  writeUnfinishedUpgrade,
} from './data-copy.ts'
import { verifyFileSignature } from './signature.ts'

const run = promisify(execFile)

/** Operations of the service manager, which tests can replace. */
export type ServiceManager = {
  stop(): Promise<void>
  start(): Promise<void>
  /** writes a backup of the running portal */
  backUp(): Promise<void>
  /** installs the unit files from a release folder */
  install(folder: string): Promise<void>
}

export type UpgradeOptions = {
  /** archive of the next release, next to its `.sha256` and `.minisig` files */
  file: string
  /** symbolic link to the installed release, such as /opt/portal */
  link: string
  /** data folder, which is copied while the portal is stopped */
  dataDir: string
  /** the database is neither copied nor rolled back, and the data folder is not copied */
  isDatabaseExternal: boolean
  isUnsignedAccepted: boolean
  service: ServiceManager
  /** whether the portal reports that it is ready */
  isReady(): Promise<boolean>
  patienceMs: number
  tell(line: string): void
}

export type UndoOptions = Omit<UpgradeOptions, 'file' | 'isUnsignedAccepted'>

/** Reason of a failure; of a program's error output the first lines, since `cp` writes one for each file. */
function messageOf(error: unknown): string {
  const { stderr, message } = errorFactsOf(error)
  return (stderr || message).trim().split('\n').slice(0, 2).join(' ')
}

/** Content of a file; null if it does not exist. */
const readText = (path: string) =>
  // The caller handles a missing file.
  readFile(path, 'utf8').catch(() => null)
const versionIn = async (folder: string): Promise<string> =>
  JSON.parse((await readText(join(folder, 'package.json'))) ?? '{}').version ?? '?'

/**
 * Verifies the archive's checksum and signature.
 * @throws StartError unless both are correct
 */
async function requireGenuine({ file, link, isUnsignedAccepted, tell }: UpgradeOptions): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash).catch(error => {
    throw new StartError(`${file} cannot be read: ${error.message}`)
  })
  const sum = (await readText(`${file}.sha256`))?.split(' ')[0]
  if (sum !== hash.digest('hex')) throw new StartError(`${file} does not fit ${file}.sha256: download both again`)
  const [key, signature] = [await readText(join(link, 'packaging/release.pub')), await readText(`${file}.minisig`)]
  if (key !== null && signature !== null) {
    const comment = await verifyFileSignature(file, signature, key)
    if (comment === null)
      throw new StartError(`${file} is not signed by the key of the installed release: do not use it`)
    return tell(`verified: ${comment}`)
  }
  const what = key === null ? 'the installed release has no key' : `there is no ${basename(file)}.minisig`
  if (!isUnsignedAccepted)
    throw new StartError(`The origin of ${file} cannot be verified: ${what}. To use it nevertheless: --unsigned`)
}

/** Unpacks the archive next to the installed release. @returns the new folder */
async function unpack({ file, link }: UpgradeOptions): Promise<string> {
  const folder = join(dirname(link), basename(file).replace(/\.tar\.gz$/, ''))
  // Usually the folder does not exist yet.
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  if (isThere) throw new StartError(`${folder} exists: is this release installed? Otherwise remove the folder first`)
  try {
    await mkdir(folder)
    await run('tar', ['-xzf', file, '-C', folder, '--strip-components=1'])
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw new StartError(`${file} cannot be unpacked, nothing was changed: ${messageOf(error)}`)
  }
  return folder
}

/** @throws StartError if the link does not refer to a release */
async function findInstalled(link: string): Promise<string> {
  const folder = await readlink(link).catch(() => {
    throw new StartError(`${link} is no link to an installed release, nothing was changed: name it with --link`)
  })
  return resolve(dirname(link), folder)
}

/** Replaces the link atomically. */
async function pointTo(link: string, folder: string): Promise<void> {
  await rm(`${link}.next`, { force: true })
  await symlink(folder, `${link}.next`)
  await rename(`${link}.next`, link)
}

/** Number of attempts at least: a machine that stalls, or is paused, must not use up the time with one of them. */
const READY_ATTEMPTS = 10

async function waitUntilReady({
  isReady,
  patienceMs,
}: Pick<UpgradeOptions, 'isReady' | 'patienceMs'>): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < patienceMs; ) {
    const since = performance.now()
    // If the connection is refused, the portal is not ready yet.
    if (await isReady().catch(() => false)) return true
    await sleep(Math.min(200, patienceMs / READY_ATTEMPTS))
    waitedMs += Math.min(performance.now() - since, patienceMs / READY_ATTEMPTS)
  }
  return false
}

/** Points the link to a release and starts it. @returns whether the service manager reports success */
async function startRelease(
  { link, service }: Pick<UpgradeOptions, 'link' | 'service'>,
  folder: string,
): Promise<boolean> {
  await pointTo(link, folder)
  await service.install(folder)
  return service.start().then(
    () => true,
    // The systemd journal contains the reason why the service did not start.
    () => false,
  )
}

/** Makes a backup and prepares the copy of the data; the portal keeps running. */
async function prepare(wish: UpgradeOptions, version: string, before: string): Promise<DataCopy | null> {
  const { dataDir, isDatabaseExternal, service } = wish
  if (isDatabaseExternal) {
    await service.backUp()
    return null
  }
  // An obstacle is reported before a backup of minutes. The backup may need space on the same disk.
  await prepareDataCopy(dataDir, version, before)
  await service.backUp()
  return prepareDataCopy(dataDir, version, before)
}

/**
 * Returns to the previous release after its successor was started or its start was prepared.
 * @param copy data to bring back; null if the data was not changed or is not copied
 * @returns sentences on what happened
 */
async function goBack(wish: UpgradeOptions, before: string, copy: DataCopy | null): Promise<string[]> {
  const notes: string[] = []
  try {
    await wish.service.stop()
    if (copy)
      notes.push(`What the new release wrote is in ${await copy.bringBack()}: delete it when it is no longer needed.`)
  } catch (error) {
    notes.push(
      copy
        ? `The data was not brought back from ${copy.folder} (${messageOf(error)}): ${commandLine('upgrade', '--undo')} does it.`
        : `${messageOf(error)}.`,
    )
  }
  await startRelease(wish, before).catch(error => void notes.push(`${messageOf(error)}.`))
  return notes
}

/**
 * Verifies a release, makes a backup, switches to the release and waits until it is ready. If it does not become ready,
 * returns to the previous release and its data. What the new release wrote is kept in a folder.
 * @throws StartError if the new release does not serve; the message tells whether the previous one does
 */
export async function upgradeRelease(wish: UpgradeOptions): Promise<void> {
  const { dataDir, isDatabaseExternal, link, service, tell } = wish
  await requireGenuine(wish)
  const before = await findInstalled(link)
  tell('unpacking')
  const next = await unpack(wish)
  const removeNext = () => rm(next, { recursive: true, force: true })
  const [from, to] = [await versionIn(before), await versionIn(next)]
  tell(`${from} → ${to}: backing up`)
  const copy = await prepare(wish, to, before).catch(async error => {
    await removeNext()
    throw new StartError(`The upgrade to ${to} did not begin, ${from} was not stopped: ${messageOf(error)}`)
  })
  // If the connection is refused, the portal is not ready.
  const wasReady = await wish.isReady().catch(() => false)
  let [isReady, isCopied, reason] = [false, false, '']
  try {
    tell(`stopping ${from}`)
    await service.stop()
    if (copy) {
      tell('copying the data')
      await copy.make()
    } else await writeUnfinishedUpgrade(dataDir, { release: before, version: to, next })
    isCopied = true
    tell(`starting ${to}, which has ${Math.round(wish.patienceMs / 1000)} s to get ready`)
    // With Type=notify, a failed start is reported immediately, which shortens the downtime.
    isReady = (await startRelease(wish, next)) && (await waitUntilReady(wish))
  } catch (error) {
    reason = ` (${messageOf(error)})`
  }
  if (isReady) {
    if (copy)
      await copy
        .discard()
        .catch(error => tell(`${copy.folder} is not needed, but cannot be removed: ${messageOf(error)}`))
    else await forgetUnfinishedUpgrade(dataDir)
    return tell(
      `${from} → ${to}: ready. To go back: docs/operation/install.md, “Upgrade”, with OLD=${before} and the backup made now`,
    )
  }
  tell(`${to} does not get ready${reason}`)
  tell(`going back to ${from}`)
  const notes = await goBack(wish, before, isCopied ? copy : null)
  const isBack = await waitUntilReady(wish)
  // Once a new release has migrated an external database, no other release can open it.
  const isNextNeeded = isDatabaseExternal && !isBack
  if (!isNextNeeded)
    await removeNext().catch(error => void notes.push(`${next} cannot be removed: ${messageOf(error)}.`))
  if (isDatabaseExternal && isBack) await forgetUnfinishedUpgrade(dataDir)
  const outcome = isBack
    ? `${from} serves as before.`
    : `and ${from} does not answer either${wasReady ? '' : ', as before the upgrade: compare HOST and PORT of the settings with where it listens'}.`
  if (isNextNeeded)
    notes.push(
      `Nothing acknowledged is lost. ${from} cannot open a database that ${to} has migrated, therefore ${next} is kept: ` +
        `remove the cause, then ${commandLine('upgrade', '--undo')} starts the one of them that gets ready.`,
    )
  throw new StartError(
    [`The upgrade to ${to} failed${reason},`, outcome, ...notes, 'See journalctl -u portal'].join(' '),
  )
}

/**
 * Goes back from an upgrade that was interrupted: completes the way back, or begins it. Can be repeated.
 * @throws StartError if no upgrade was interrupted, or the previous release does not serve
 */
export async function undoUpgrade(wish: UndoOptions): Promise<void> {
  const { dataDir, service, tell } = wish
  const state = await findUnfinishedUpgrade(dataDir)
  if (!state) return startStopped(wish)
  if (state.next !== undefined) return switchBack(wish, state, state.next)
  const version = await versionIn(state.release)
  tell(`going back to ${version}`)
  let replaced = ''
  try {
    await service.stop()
    replaced = await bringBackUnfinished(dataDir, state)
    await startRelease(wish, state.release)
  } catch (error) {
    throw new StartError(
      `${replaced ? `The data of ${version} is back, but it was not started` : 'The way back was not completed'} ` +
        `(${messageOf(error)}): remove the cause, then ${replaced ? 'systemctl start portal' : `${commandLine('upgrade', '--undo')} again`}`,
    )
  }
  const notes = `What the new release wrote is in ${replaced}: delete it when it is no longer needed.`
  if (!(await waitUntilReady(wish)))
    throw new StartError(`The data of ${version} is back, but it does not answer. ${notes} See journalctl -u portal`)
  tell(`${version} serves as before. ${notes}`)
}

/**
 * Goes back from an interrupted upgrade with an external database, which stays as it is. If the previous release does
 * not get ready, since it cannot open a database that the new one has migrated, the new one is started again.
 * @throws StartError unless the previous release serves; the message tells whether the new one does
 */
async function switchBack(wish: UndoOptions, { release, version }: UnfinishedUpgrade, next: string): Promise<void> {
  const { dataDir, service, tell } = wish
  const before = await versionIn(release)
  const reasons: string[] = []
  const isServing = async (folder: string): Promise<boolean> => {
    try {
      await service.stop()
      return (await startRelease(wish, folder)) && (await waitUntilReady(wish))
    } catch (error) {
      reasons.push(`${messageOf(error)}.`)
      return false
    }
  }
  tell(`going back to ${before}; the database stays as it is`)
  if (await isServing(release)) {
    await forgetUnfinishedUpgrade(dataDir)
    return tell(`${before} serves as before, with everything that ${version} has acknowledged.`)
  }
  tell(`${before} does not get ready: starting ${version}`)
  const isNextServing = await isServing(next)
  if (isNextServing) await forgetUnfinishedUpgrade(dataDir)
  const outcome = isNextServing
    ? `${version} serves, and nothing acknowledged is lost. To go back from a database that ${version} has migrated: docs/operation/install.md, “Upgrade”.`
    : `Nor does ${version}. Nothing acknowledged is lost: remove the cause, then ${commandLine('upgrade', '--undo')} again.`
  throw new StartError([`${before} does not get ready.`, outcome, ...reasons, 'See journalctl -u portal'].join(' '))
}

/**
 * Starts the release again that an upgrade stopped before it was interrupted, when there is no copy of its data yet.
 * @throws StartError if it serves already, or does not serve
 */
async function startStopped(wish: UndoOptions): Promise<void> {
  const { dataDir, link, service, tell } = wish
  await removeIncompleteCopies(dataDir)
  const version = await versionIn(link)
  // If the connection is refused, the portal does not serve.
  if (await wish.isReady().catch(() => false))
    throw new StartError(
      `No upgrade was interrupted, and ${version} serves. To go back from one that ended: docs/operation/install.md, “Upgrade”`,
    )
  tell(`no data has to be brought back: starting ${version}`)
  // The systemd journal contains the reason why the service did not start.
  await service.start().catch(() => undefined)
  if (!(await waitUntilReady(wish)))
    throw new StartError(`${version} is installed, but does not answer. See journalctl -u portal`)
  tell(`${version} serves.`)
}
