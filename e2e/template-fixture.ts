import { rm } from 'node:fs/promises'
import { Portal, TEMPLATE } from './portal.ts'

/** Once per run: the data of a portal with the demo programme, of which every worker gets a copy. */
export default async function setup(): Promise<() => Promise<void>> {
  const portal = await Portal.open()
  await portal.stop()
  process.env[TEMPLATE] = portal.dataDir
  return () => rm(portal.dataDir, { recursive: true, force: true })
}
