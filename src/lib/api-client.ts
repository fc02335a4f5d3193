import { createCall } from './call.ts'
import { pageLoaded } from './page-loaded.ts'

type Send = (url: string, init: RequestInit) => Promise<Response>

/** The first calls go before ky has come, and ask for nothing that it does better. */
let send: Send = (url, init) => fetch(new Request(url, init))

/** The page's way to the portal; the worker, which has to be small, has its own. */
export const call = createCall((url, init) => send(url, init))

/** From the first view on calls go through ky. */
export async function startClient(): Promise<void> {
  await pageLoaded()
  const { default: ky } = await import('ky')
  const client = ky.create({ retry: 0, throwHttpErrors: false, timeout: false })
  send = (url, init) => client(url, init)
}
