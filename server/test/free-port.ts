import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Range below the system's ephemeral ports, so that no outgoing connection takes the port in the meantime. Browsers
 * block 10080.
 */
const FROM = 11_000
const TO = 30_000

/** Finds a port on which nothing is listening, for programs that need a fixed port. */
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
