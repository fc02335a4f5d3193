import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Logger } from 'pino'

/**
 * Reports readiness to systemd (`Type=notify`, sd_notify(3)), so that `systemctl start` returns when requests are
 * accepted. Node.js has no datagram sockets for it: systemd's own program sends the message.
 */
export async function notifyReady(isAwaited: boolean, log: Pick<Logger, 'warn'>): Promise<void> {
  if (!isAwaited) return
  await promisify(execFile)('systemd-notify', ['--ready', `--pid=${process.pid}`]).catch(error =>
    log.warn({ err: error }, 'systemd was not told that the portal is ready'),
  )
}
