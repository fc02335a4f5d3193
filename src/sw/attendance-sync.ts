import { flushOutbox } from '#features/attendance/outbox.ts'
import { sendEntryThrough } from '#features/attendance/outbox-api.ts'
import { openOutboxDatabase } from '#features/attendance/outbox-database.ts'
import { createCall } from '#lib/call.ts'

const sendEntry = sendEntryThrough(createCall((url, init) => fetch(url, init)))

/**
 * Sends what waits while no page is open, as the person who recorded it.
 * @throws when there is more to send, so that the browser calls again
 */
export async function flushFromWorker(): Promise<void> {
  const database = await openOutboxDatabase()
  const channel = new BroadcastChannel('attendance-outbox')
  try {
    const sender = await database.readSender()
    if (!sender) return
    const { outcome } = await flushOutbox({
      database,
      sender,
      send: sendEntry,
      onChange: () => channel.postMessage('changed'),
      locks: navigator.locks,
    })
    if (outcome === 'later') throw new Error('no answer yet')
    await database.releaseSender(outcome === 'login')
  } finally {
    channel.close()
    database.close()
  }
}
