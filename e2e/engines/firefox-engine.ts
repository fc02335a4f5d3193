import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Browser,
  type Engine,
  keyActions,
  LONGEST_COMMAND_MS,
  readStart,
  scriptText,
  type Tab,
  VIEWPORT,
} from './driver.ts'
import { end } from './process-steps.ts'

type Answer = { id: number; type: 'success' | 'error'; result: Record<string, unknown>; error: string; message: string }
type Send = (method: string, parameters: object) => Promise<Record<string, unknown>>

/** Disables background requests to the internet. */
const PREFERENCES = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
  'toolkit.telemetry.enabled': false,
}

/** WebDriver BiDi connection. */
async function connect(url: string): Promise<{ send: Send; close: () => void }> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Partial<Answer>) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  const gone = { type: 'error', error: 'the browser', message: 'has gone' } as const
  socket.addEventListener('close', () => {
    for (const tell of waiting.values()) tell(gone)
  })
  let count = 0
  const send: Send = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++count
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), LONGEST_COMMAND_MS)
      waiting.set(id, ({ type, result, error, message }) => {
        clearTimeout(timer)
        if (type === 'success' && result) resolve(result)
        else reject(new Error(`${method}: ${error} ${message}`))
      })
      if (socket.readyState !== WebSocket.OPEN) return waiting.get(id)?.(gone)
      socket.send(JSON.stringify({ id, method, params }))
    })
  return { send, close: () => socket.close() }
}

const tabOf = (send: Send, context: string): Tab => ({
  goto: async url => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
  evaluate: async (script, ...args) => {
    const answer = await send('script.callFunction', {
      functionDeclaration: scriptText(script, args),
      target: { context },
      awaitPromise: true,
    })
    const { result, exceptionDetails } = answer as { result?: { value: string }; exceptionDetails?: { text: string } }
    if (!result) throw new Error(exceptionDetails?.text)
    return JSON.parse(result.value)
  },
  press: async (x, y) => {
    const actions = [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
  },
  type: async text => {
    await send('input.performActions', {
      context,
      actions: [{ type: 'key', id: 'keyboard', actions: keyActions(text) }],
    })
  },
})

export type Firefox = Browser & {
  send: Send
  /** The browser's own window, whose scripts have its privileges; null without `isPrivileged`. */
  system: Tab | null
}
type FirefoxOptions = { preferences?: Record<string, string | number | boolean>; isPrivileged?: boolean }

/** Opens Firefox by its native WebDriver BiDi. */
export async function openFirefox(
  path: string,
  profile: string,
  { preferences, isPrivileged = false }: FirefoxOptions = {},
): Promise<Firefox> {
  const lines = Object.entries({ ...PREFERENCES, ...preferences }).map(
    ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
  )
  await writeFile(join(profile, 'user.js'), lines.join('\n'))
  const privileges = isPrivileged ? ['--remote-allow-system-access'] : []
  const port = ['--remote-debugging-port', '0', ...privileges]
  const args = ['--headless', '--no-remote', '--profile', profile, ...port, 'about:blank']
  const firefox = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const { send, close } = await connect(`${await readStart(firefox, /BiDi listening on (ws:\S+)/)}/session`)
  await send('session.new', { capabilities: {} })
  const openTab = async () => {
    const { context } = await send('browsingContext.create', { type: 'tab' })
    await send('browsingContext.setViewport', { context, viewport: VIEWPORT })
    return tabOf(send, String(context))
  }
  const openSystem = async () => {
    const { contexts } = (await send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 })) as {
      contexts: { context: string }[]
    }
    return tabOf(send, contexts[0]?.context ?? '')
  }
  return {
    pid: firefox.pid ?? 0,
    tab: await openTab(),
    openTab,
    send,
    system: isPrivileged ? await openSystem() : null,
    close: async () => {
      await Promise.allSettled([send('browser.close', {}), Promise.race([once(firefox, 'exit'), sleep(5_000)])])
      close()
      await end(firefox)
    },
  }
}

export const firefoxEngine = (path: string): Engine => ({
  name: 'firefox',
  keepsProfile: true,
  open: profile => openFirefox(path, profile),
})
