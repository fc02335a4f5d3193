import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Endpoint, RequestBodyOf, ResponseOf } from '#contract/endpoint.ts'

export type ServerProcess = {
  /** Calls an endpoint without path parameters over a socket. @throws Error unless it answers 200 */
  call<E extends Endpoint>(endpoint: E, token: string, body?: RequestBodyOf<E>): Promise<ResponseOf<E>>
  stop(): Promise<void>
  /** Ends the process at once, as `kill -9` does. */
  kill(): Promise<void>
}

/** Starts a server in a separate process with its own pool of database connections. */
export async function startServerProcess(databaseUrl: string): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'process-child.ts')], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  const origin = `http://127.0.0.1:${Number(port.toString())}`
  return {
    async call(endpoint, token, body) {
      const response = await fetch(`${origin}${endpoint.path}`, {
        method: endpoint.method,
        headers: { SessionToken: token, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
      return (await response.json()) as ResponseOf<typeof endpoint>
    },
    async stop() {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}
