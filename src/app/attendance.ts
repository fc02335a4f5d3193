import { insist } from '#lib/late.ts'
import { pageLoaded } from '#lib/page-loaded.ts'

let started: Promise<typeof import('#features/attendance/store.ts')> | null = null

/** Starts the attendance, once; whoever is in the gym has it at once, for the others it comes after the first view. */
async function openAttendance() {
  const [store, { startAttendance }] = await Promise.all([
    import('#features/attendance/store.ts'),
    import('#features/attendance/sync.ts'),
  ])
  await startAttendance()
  return store
}

/** What an earlier page left in the outbox is sent, and again whenever there is reason to hope. */
export async function startAttendance(shown: Promise<void>): Promise<void> {
  if (!/^\/course(?:s\/instructor|-participation)/.test(window.location.pathname)) await shown.then(pageLoaded)
  await insist(attendance)
}

/** The attendance, running. @throws TypeError when its files could not be fetched; the next call tries again */
export function attendance() {
  started ??= openAttendance().catch(error => {
    started = null
    throw error
  })
  return started
}
