import type { ChildProcess } from 'node:child_process'

/** A script that runs in the page: it knows its arguments and the page, nothing of the file it stands in. */
export type PageScript<A extends unknown[], T> = (...args: A) => T | Promise<T>

/** A tab of a running browser: what the journeys need of an engine, and every engine can do. */
export type Tab = {
  /** Resolves when the page has loaded. */
  goto(url: string): Promise<void>
  evaluate<A extends unknown[], T>(script: PageScript<A, T>, ...args: A): Promise<T>
  /** A real press of the main button, at a place of the viewport in CSS pixels. */
  press(x: number, y: number): Promise<void>
  /** Types into what has the focus. */
  type(text: string): Promise<void>
}

export type Browser = {
  /** the process that has all others of the browser below it */
  pid: number
  /** the tab it came with */
  tab: Tab
  openTab(): Promise<Tab>
  close(): Promise<void>
}

export type Engine = {
  name: 'chromium' | 'firefox' | 'webkit'
  /** A browser that is opened again on the same profile knows what it knew. */
  keepsProfile: boolean
  open(profile: string): Promise<Browser>
}

/** Which engine a project of playwright.config.ts runs its journeys in. */
export type EngineOptions = { engineName: Engine['name'] }
export const LONGEST_COMMAND_MS = 30_000
export const VIEWPORT = { width: 390, height: 844 }

/** A script with its arguments, as the text of a function without any, whose promise gives JSON. */
export const scriptText = (script: unknown, args: unknown[]): string =>
  `async () => JSON.stringify(await (${script})(...${JSON.stringify(args)})) ?? 'null'`

/** The strokes of a text, as both WebDrivers want them. */
export const keyActions = (text: string): object[] =>
  [...text].flatMap(value => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

/** What a program says of itself at its start: where it listens. @throws Error when it ends before, or says nothing */
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
