import { rm } from 'node:fs/promises'
import { Portal, TEMPLATE } from './portal.ts'
import { startSharingReport } from './sharing-fixture.ts'

/** Template data of a portal with the demo programme, created once per run and copied for every worker. */
export default async function setup(): Promise<() => Promise<void>> {
  const portal = await Portal.open()
  await portal.stop()
  process.env[TEMPLATE] = portal.dataDir
  const writeReport = startSharingReport()
  return () => {
    writeReport()
    return rm(portal.dataDir, { recursive: true, force: true })
  }
}
