import { getReadiness } from '#contract/endpoints/system.ts'
import { removeExpiredAttendanceLists } from '#features/attendance/outbox/list-rows.ts'
import { Outbox } from '#features/attendance/outbox/outbox.ts'
import { createBrowserPlatform } from '#features/attendance/outbox/platform.ts'
import { countUnconfirmed } from '#features/attendance/outbox/records.ts'
import { showUnsyncedBadge } from '#lib/app-badge.ts'
import { callEndpoint } from '#lib/call.ts'

/**
 * Sends outbox entries while no page is open, with the credentials of the user who recorded them.
 * @throws if entries remain, so that the browser retries the sync
 */
export async function sendOutboxFromWorker(): Promise<void> {
  const device = createBrowserPlatform()
  const outbox = new Outbox(device)
  try {
    const result = await outbox.sendAsStored()
    if (result) showUnsyncedBadge(countUnconfirmed(outbox.entries()))
    if (result?.outcome === 'later') throw new Error('outbox entries remain')
  } finally {
    outbox.close()
    device.close()
  }
}

/**
 * Deletes expired participant names from the device, even if the user never opens the lists again. If there are any
 * names, the time is requested from the server, because the device clock may be wrong.
 */
export async function deleteExpiredParticipantNames(): Promise<void> {
  const device = createBrowserPlatform()
  const outbox = new Outbox(device)
  try {
    if ((await outbox.readStored()).length === 0) return
    await callEndpoint(getReadiness, {})
    await removeExpiredAttendanceLists(outbox, device.verifiedServerNow())
  } finally {
    outbox.close()
    device.close()
  }
}
