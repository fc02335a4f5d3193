import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to connections of their own: nobody is given one meanwhile. Browsers refuse 10080. */
const FROM = 11_000
const TO = 30_000

/** A port of this machine that nothing listens on right now, for a program that has to be told one. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM))
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
