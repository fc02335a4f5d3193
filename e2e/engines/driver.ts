import type { ChildProcess } from 'node:child_process'
import { patience } from '../patience.ts'

/** Script that runs in the page: it may use its arguments and the page, but nothing from the module's scope. */
export type PageScript<A extends unknown[], T> = (...args: A) => T | Promise<T>

/** A browser tab: the engine-independent subset of driver functions. */
export type Tab = {
  /** Resolves when the page has loaded. */
  goto(url: string): Promise<void>
  evaluate<A extends unknown[], T>(script: PageScript<A, T>, ...args: A): Promise<T>
  /** A real press of the primary mouse button at viewport coordinates in CSS pixels. */
  press(x: number, y: number): Promise<void>
  /** Types into the focused element. */
  type(text: string): Promise<void>
}

export type Browser = {
  /** root of the browser's process tree */
  pid: number
  /** the initial tab */
  tab: Tab
  openTab(): Promise<Tab>
  close(): Promise<void>
}

export type Engine = {
  name: 'chromium' | 'firefox' | 'webkit'
  /** A browser reopened with the same profile retains its stored data. */
  keepsProfile: boolean
  open(profile: string): Promise<Browser>
}

/** Engine of each project in playwright.config.ts. */
export type EngineOptions = { engineName: Engine['name'] }
export const LONGEST_COMMAND_MS = patience * 30_000
export const VIEWPORT = { width: 390, height: 844 }

/**
 * Serializes a script and its arguments as the source of a function without parameters that returns a promise of JSON.
 */
export const scriptText = (script: unknown, args: unknown[]): string =>
  `async () => JSON.stringify(await (${script})(...${JSON.stringify(args)})) ?? 'null'`

/** Key actions that type a text, as required by both WebDriver protocols. */
export const keyActions = (text: string): object[] =>
  [...text].flatMap(value => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

/**
 * Reads the address that a driver prints at startup.
 * @throws Error if it exits before or prints none
 */
export function readStart(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const giveUp = (reason: string) => reject(new Error(`${child.spawnfile} ${reason}\n${output}`))
    const timer = setTimeout(() => giveUp('did not say where it listens'), LONGEST_COMMAND_MS)
    child.once('error', error => giveUp(error.message))
    child.once('exit', code => giveUp(`ended with status ${code}`))
    for (const stream of child.stdio.slice(1)) {
      stream?.on('data', text => {
        output += text
        const [, found] = pattern.exec(output) ?? []
        if (found === undefined) return
        clearTimeout(timer)
        resolve(found)
      })
    }
  })
}
