import { sendEntry } from '#features/attendance/api.ts'
import { flushOutbox } from '#features/attendance/outbox.ts'
import { openOutboxDatabase } from '#features/attendance/outbox-database.ts'

/**
 * Sends what waits while no page is open, as the person who recorded it.
 * @throws when there is more to send, so that the browser calls again
 */
export async function flushFromWorker(): Promise<void> {
  const database = await openOutboxDatabase()
  const sender = await database.readSender()
  if (!sender) return
  const channel = new BroadcastChannel('attendance-outbox')
  const { outcome } = await flushOutbox({
    database,
    sender,
    send: sendEntry,
    onChange: () => channel.postMessage('changed'),
    locks: navigator.locks,
  })
  channel.close()
  if (outcome === 'done') await database.writeSender(null)
  if (outcome === 'later') throw new Error('no answer yet')
}
