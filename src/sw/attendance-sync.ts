import { createDevice } from '#features/attendance/outbox/device.ts'
import { removeExpiredRows } from '#features/attendance/outbox/list-rows.ts'
import { createOutbox } from '#features/attendance/outbox/outbox.ts'
import { createCall } from '#lib/call.ts'

const call = createCall((url, init) => fetch(url, init))

/** Sends what waits while no page is open, as who recorded it. @throws when there is more to send, so that the browser calls again */
export async function flushFromWorker(): Promise<void> {
  const device = createDevice(call)
  const outbox = createOutbox(device)
  try {
    const result = await outbox.sendAsStored()
    if (result?.outcome === 'later') throw new Error('no answer yet')
  } finally {
    outbox.close()
    device.close()
  }
}

/** Participants' names whose time is over leave the device, also when nobody opens the app's lists. */
export async function removeExpiredNames(): Promise<void> {
  const device = createDevice(call)
  const outbox = createOutbox(device)
  try {
    await removeExpiredRows(outbox, device.now())
  } finally {
    outbox.close()
    device.close()
  }
}
