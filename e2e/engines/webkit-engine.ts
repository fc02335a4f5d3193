import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '#server/test/free-port.ts'
import { type Engine, keyActions, LONGEST_COMMAND_MS, readStart, scriptText, type Tab, VIEWPORT } from './driver.ts'
import { end } from './process-steps.ts'

/** A W3C WebDriver session over HTTP. */
class Session {
  readonly #url: string
  /** Serialized, because the current window is part of the session state. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(url: string) {
    this.#url = url
  }

  static async create(driverUrl: string, capabilities: object): Promise<Session> {
    const { sessionId } = (await Session.#send('POST', `${driverUrl}/session`, {
      capabilities: { alwaysMatch: capabilities },
    })) as { sessionId: string }
    return new Session(`${driverUrl}/session/${sessionId}`)
  }

  static async #send(method: string, url: string, body?: object): Promise<unknown> {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(2 * LONGEST_COMMAND_MS),
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`${method} ${new URL(url).pathname}: ${JSON.stringify(value)}`)
    return value
  }

  /** @param handle of the window */
  send(method: string, path: string, body?: object, handle?: string): Promise<unknown> {
    const answer = this.#turn.then(async () => {
      if (handle) await Session.#send('POST', `${this.#url}/window`, { handle })
      return Session.#send(method, `${this.#url}${path}`, body)
    })
    this.#turn = answer.catch(() => undefined)
    return answer
  }

  tab(handle: string): Tab {
    const post = (path: string, body?: object) => this.send('POST', path, body, handle)
    return {
      goto: async url => void (await post('/url', { url })),
      evaluate: async (script, ...args) => {
        const text = `const done = arguments[0]
          ;(${scriptText(script, args)})().then(json => done({ json }), error => done({ error: String(error) }))`
        const { json, error } = (await post('/execute/async', { script: text, args: [] })) as Record<string, string>
        if (json === undefined) throw new Error(error)
        return JSON.parse(json)
      },
      press: async (x, y) => {
        const actions = [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport' },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ]
        await post('/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
      },
      type: async text => {
        await post('/actions', { actions: [{ type: 'key', id: 'keyboard', actions: keyActions(text) }] })
      },
    }
  }
}

/** WebKitGTK by its WebDriver, on a virtual display. Automated profiles do not outlive a session. */
export const webKitEngine = (paths: { driver: string; browser: string; display: string }): Engine => ({
  name: 'webkit',
  keepsProfile: false,
  open: async profile => {
    const display = spawn(paths.display, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const number = await readStart(display, /(\d+)\n/)
    const port = await findFreePort()
    const driver = spawn(paths.driver, [`--port=${port}`], {
      env: { ...process.env, DISPLAY: `:${number}`, GDK_BACKEND: 'x11', HOME: profile, TZ: 'Europe/Berlin' },
      stdio: 'ignore',
    })
    const url = `http://127.0.0.1:${port}`
    while (
      !(await fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(50)
    const session = await Session.create(url, {
      timeouts: { script: LONGEST_COMMAND_MS, pageLoad: LONGEST_COMMAND_MS },
      'webkitgtk:browserOptions': {
        binary: paths.browser,
        args: ['--automation'],
      },
    })
    await session.send('POST', '/window/rect', VIEWPORT)
    return {
      pid: driver.pid ?? 0,
      tab: session.tab((await session.send('GET', '/window')) as string),
      openTab: async () => {
        const { handle } = (await session.send('POST', '/window/new', { type: 'tab' })) as { handle: string }
        return session.tab(handle)
      },
      close: async () => {
        await session.send('DELETE', '').catch(() => undefined)
        await end(driver)
        await end(display)
      },
    }
  },
})
