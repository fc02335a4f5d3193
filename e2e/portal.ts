import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BodyOf, Endpoint, ResponseOf } from '#contract/endpoint.ts'
import { findFreePort } from '#server/test/free-port.ts'
import { type Mail, readMails } from './mails.ts'

export const DEMO_PASSWORD = 'Demo-Sport-2026'
export type DemoAccount = 'employee' | 'pensioner' | 'insured' | 'external' | 'instructor' | 'desk'
export const emailOf = (account: DemoAccount): string => `${account}@demo.example`

type CallParts<E extends Endpoint> = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  body?: BodyOf<E>
  token?: string
}

const START_PATIENCE_MS = 90_000
const MAIL_PATIENCE_MS = 15_000
const root = join(import.meta.dirname, '..')
/** Names the folder of a stopped portal with the demo programme, which is quicker to copy than to fill. */
export const TEMPLATE = 'PORTAL_TEMPLATE'

/** A running portal with the demo programme, its own data and its own port. */
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

  /** @param settings as in the README; DATA_DIR and PORT are given */
  static async open(settings: Record<string, string> = {}): Promise<Portal> {
    const dataDir = await mkdtemp(join(tmpdir(), 'portal-e2e-'))
    const template = process.env[TEMPLATE]
    // With owners and permissions, on which PostgreSQL insists.
    if (template && settings.DEMO !== 'off') await promisify(execFile)('cp', ['-a', `${template}/.`, dataDir])
    const portal = new Portal(await findFreePort(), dataDir, settings)
    await portal.start()
    return portal
  }

  async start(): Promise<void> {
    const { PATH = '', HOME = '', LANG = 'C.UTF-8' } = process.env
    // Set explicitly, since both defaults change once people other than the demo's can log in.
    const demo = { DEMO: 'on', OFFICE_PASSKEY: 'off' }
    const environment = { PATH, HOME, LANG, LOG_LEVEL: 'warn', PROCESSES: '1', ...demo, ...this.#settings }
    const server = spawn(process.execPath, [join(root, 'server/start.mjs')], {
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

  /** Ends it in good order. @returns the exit status */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM', server => server.kill('SIGTERM'))
  }

  /** kill -9 of its whole process group, as by a crash. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL', server => process.kill(-(server.pid ?? 0), 'SIGKILL'))
  }

  /** Killed, then started again on the same port and data. */
  async restart(): Promise<void> {
    await this.kill()
    await this.start()
  }

  /** Everything as at the first start. */
  async reset(): Promise<void> {
    await this.stop()
    await rm(this.dataDir, { recursive: true, force: true })
    await this.start()
  }

  /** @throws Error when it has ended by itself meanwhile: whatever a journey missed then is not its own fault */
  async close(): Promise<void> {
    const { exitCode, signalCode } = this.#server ?? { exitCode: null, signalCode: null }
    const [ending, said] = [exitCode ?? signalCode, this.#output]
    if (ending !== null) this.#server = null
    // A killed portal leaves its database running: a start finds it, a stop ends it.
    if (!this.#server) await this.start()
    await this.stop()
    await rm(this.dataDir, { recursive: true, force: true })
    if (ending !== null) throw new Error(`the portal ended by itself: ${ending}\n${said}`)
  }

  /** Of the process that was started; 0 while it does not run. */
  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** What it has written so far. */
  get output(): string {
    return this.#output
  }

  async #end(signal: string, send: (server: ChildProcess) => void): Promise<number | null> {
    const server = this.#server
    this.#server = null
    if (!server || server.exitCode !== null) return server?.exitCode ?? null
    const ended = once(server, 'exit')
    send(server)
    const [code] = await Promise.race([ended, sleep(30_000, ['late'])])
    if (code === 'late') throw new Error(`the portal did not end on ${signal}\n${this.#output}`)
    return code as number | null
  }

  /** Sends one call of the contract, beside the browser. @throws Error when the answer is no 2xx */
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

  /** The mails written for a person so far, the oldest first; waits until there are `atLeast` of them. */
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

/** However this process ends: its end of the pipe closes then, and what waits at the other one ends the portal in good order. */
function endWithThisProcess(server: ChildProcess): void {
  const watch = spawn('sh', ['-c', `read -r _; kill -TERM ${server.pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  server.once('exit', () => watch.kill())
}
