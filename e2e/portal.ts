import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Endpoint, ParsedBodyOf, ResponseOf } from '#contract/endpoint.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { type Mail, readMails } from './mails.ts'
import { patience } from './patience.ts'

export const DEMO_PASSWORD = 'Demo-Sport-2026'
export type DemoAccount = 'employee' | 'pensioner' | 'insured' | 'external' | 'instructor' | 'desk'
export const emailOf = (account: DemoAccount): string => `${account}@demo.example`

type CallParts<E extends Endpoint> = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: ParsedBodyOf<E>
  token?: string
}

const START_PATIENCE_MS = patience * 90_000
const MAIL_PATIENCE_MS = patience * 15_000
const root = join(import.meta.dirname, '..')
/** Template folder: a stopped portal with the demo programme, because copying is faster than importing. */
export const TEMPLATE = 'PORTAL_TEMPLATE'

/** A running portal with the demo programme, its own data and port. */
export class Portal {
  readonly url: string
  readonly dataDir: string
  readonly #port: number
  readonly #settings: Record<string, string>
  #server: ChildProcess | null = null
  #output = ''

  private constructor(port: number, dataDir: string, settings: Record<string, string>) {
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
    this.dataDir = dataDir
    this.#settings = settings
  }

  /** @param settings as in the README; DATA_DIR and PORT are set */
  static async open(settings: Record<string, string> = {}): Promise<Portal> {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-e2e-'))
    const template = process.env[TEMPLATE]
    // Preserves owners and permissions, which PostgreSQL checks.
    if (template && settings.DEMO !== 'off') await promisify(execFile)('cp', ['-a', `${template}/.`, dataDir])
    const portal = new Portal(await findFreePort(), dataDir, settings)
    await portal.start()
    return portal
  }

  async start(): Promise<void> {
    const { PATH = '', HOME = '', LANG = 'C.UTF-8' } = process.env
    // Set explicitly, because both defaults change once other people than the demo's can log in.
    const demo = { DEMO: 'on', OFFICE_PASSKEY: 'off' }
    const environment = { PATH, HOME, LANG, LOG_LEVEL: 'warn', PROCESSES: '1', ...demo, ...this.#settings }
    const server = spawn(process.execPath, [join(root, 'scripts/run.mjs'), 'server/start.mjs'], {
      cwd: root,
      env: { ...environment, DATA_DIR: this.dataDir, PORT: String(this.#port) },
      detached: true,
      stdio: 'pipe',
    })
    endWithThisProcess(server)
    this.#server = server
    this.#output = ''
    for (const stream of [server.stdout, server.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    }
    await this.#waitUntilReady(server)
  }

  async #waitUntilReady(server: ChildProcess): Promise<void> {
    const deadline = Date.now() + START_PATIENCE_MS
    while (Date.now() < deadline && server.exitCode === null) {
      const isReady = await fetch(`${this.url}/api/health`).then(
        response => response.ok,
        () => false,
      )
      if (isReady) return
      await sleep(100)
    }
    throw new Error(`the portal did not start\n${this.#output}`)
  }

  /**
   * Shuts it down.
   * @returns the exit status
   */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM', server => server.kill('SIGTERM'))
  }

  /** kill -9 of its process group, as in a crash. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL', server => process.kill(-(server.pid ?? 0), 'SIGKILL'))
  }

  /** Kills and restarts it with the same port and data. */
  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** Settings as at the first start. */
  async reset(): Promise<void> {
    await this.stop()
    await rm(this.dataDir, { recursive: true, force: true })
    await this.start()
  }

  /** @throws Error if it has exited unexpectedly, which explains failures of the test */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#server ?? { exitCode: null, signalCode: null }
    const [ending, said] = [exitCode ?? signalCode, this.#output]
    if (ending !== null) this.#server = null
    // The database outlives a killed portal: restarting and shutting down the portal ends it.
    if (!this.#server) await this.start()
    await this.stop()
    await rm(this.dataDir, { recursive: true, force: true })
    if (ending !== null) throw new Error(`the portal ended by itself: ${ending}\n${said}`)
  }

  /** Process id; 0 while it is not running. */
  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** Output so far. */
  get output(): string {
    return this.#output
  }

  async #end(signal: string, send: (server: ChildProcess) => void): Promise<number | null> {
    const server = this.#server
    this.#server = null
    if (!server || server.exitCode !== null) return server?.exitCode ?? null
    const ended = once(server, 'exit')
    send(server)
    const [code] = await Promise.race([ended, sleep(patience * 30_000, ['late'])])
    if (code === 'late') throw new Error(`the portal did not end on ${signal}\n${this.#output}`)
    return code as number | null
  }

  /**
   * Sends one API request.
   * @throws Error for a status other than 2xx
   */
  async call<E extends Endpoint>(
    endpoint: E,
    { params = {}, query, body, token }: CallParts<E> = {},
  ): Promise<ResponseOf<E>> {
    const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const response = await fetch(`${this.url}${path}?${new URLSearchParams(query)}`, {
      method: endpoint.method,
      headers: {
        'Content-Type': 'application/json',
        Cookie: 'XSRF-TOKEN=e2e',
        'X-XSRF-TOKEN': 'e2e',
        ...(token && { SessionToken: token }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${endpoint.method} ${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? undefined : await response.json()) as ResponseOf<E>
  }

  /** E-mails written for a person so far, oldest first; waits until there are `atLeast` of them. */
  async mailsTo(recipient: string, atLeast = 1): Promise<Mail[]> {
    const deadline = Date.now() + MAIL_PATIENCE_MS
    for (;;) {
      const mails = (await readMails(join(this.dataDir, 'outbox'))).filter(({ to }) => to.includes(recipient))
      if (mails.length >= atLeast) return mails
      if (Date.now() > deadline) throw new Error(`${mails.length} mails to ${recipient} instead of ${atLeast}`)
      await sleep(100)
    }
  }
}

/**
 * However this process ends, its end of the pipe is closed, which makes the wrapper at the other end shut the portal
 * down.
 */
function endWithThisProcess(server: ChildProcess): void {
  const watch = spawn('sh', ['-c', `read -r _; kill -TERM ${server.pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  server.once('exit', () => watch.kill())
}
