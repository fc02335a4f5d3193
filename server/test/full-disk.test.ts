// @module-tag extended
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { canMount, readPostmasterPid } from './cluster.ts'
import { startTestDisk, type TestDisk } from './disk.ts'
import { startPortal, stopPortals } from './portal.ts'
import { killPostmaster } from './postgres.ts'

afterEach(stopPortals)

/**
 * Creates a full disk that contains a portal's data.
 * @param how how the portal and its database ended
 */
async function makeFullDisk(how: 'stopped' | 'killed' | 'killed with its database') {
  const disk = (await startTestDisk(200)) as TestDisk
  onTestFinished(async () => {
    await disk.free()
    await stopPortals()
    await disk.remove()
  })
  const dataDir = join(disk.folder, 'data')
  await mkdir(dataDir)
  await chmod(dataDir, 0o711)
  const portal = startPortal({ DATA_DIR: dataDir })
  await portal.url()
  portal.child.kill(how === 'stopped' ? 'SIGTERM' : 'SIGKILL')
  await portal.ended
  if (how === 'killed with its database') await killPostmaster(await readPostmasterPid(dataDir))
  await disk.fill()
  return { disk, dataDir }
}

test.runIf(canMount)(
  'a start with a full disk fails with one line, and works once there is space',
  {
    timeout: 90_000,
  },
  async () => {
    const { disk, dataDir } = await makeFullDisk('stopped')
    const portal = startPortal({ DATA_DIR: dataDir })
    expect(await portal.ended).toBe(1)
    expect(portal.errors()).toMatch(/^[^\n]*No space left on device\. Free some disk space\n$/)
    await disk.free()
    const url = await startPortal({ DATA_DIR: dataDir }).url()
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  },
)

test.runIf(canMount)(
  'a start with a full disk after the portal was killed serves read requests',
  { timeout: 90_000 },
  async () => {
    const { dataDir } = await makeFullDisk('killed')
    const portal = startPortal({ DATA_DIR: dataDir })
    const url = await portal.url()
    expect((await fetch(`${url}/api/course`)).status).toBe(200)
    expect(portal.errors()).toBe('')
  },
)

test.runIf(canMount)(
  'a start with a full disk after the database was also killed serves read requests or fails with one line',
  { timeout: 90_000 },
  async () => {
    const { disk, dataDir } = await makeFullDisk('killed with its database')
    const portal = startPortal({ DATA_DIR: dataDir })
    // Crash recovery needs a new segment of the write-ahead log if the last one is nearly full.
    const status = await portal.url().then(
      async url => (await fetch(`${url}/api/course`)).status,
      () => null,
    )
    if (status !== null) return expect(status).toBe(200)
    expect(portal.errors()).toMatch(/^[^\n]*No space left on device\. Free some disk space\n$/)
    await disk.free()
    const url = await startPortal({ DATA_DIR: dataDir }).url()
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  },
)
