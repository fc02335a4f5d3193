import type { Context } from 'hono'

type NodeBindings = { incoming?: { socket?: { remoteAddress?: string } } }

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/

/**
 * The caller's network address. Behind a proxy, one on the same machine is believed when it names the caller in
 * X-Forwarded-For (its last entry: the earlier ones come from the caller); nobody else ever is.
 */
export function addressOf(c: Context, isBehindProxy: boolean): string {
  const peer = (c.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress ?? '127.0.0.1'
  const forwarded = c.req.header('X-Forwarded-For')?.split(',').at(-1)?.trim()
  return isBehindProxy && LOOPBACK.test(peer) && forwarded ? forwarded.slice(0, 64) : peer
}
