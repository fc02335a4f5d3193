import type { Endpoint } from '#contract/endpoint.ts'
import { type Call, type CallOptions, createCall } from './call.ts'

/** JSON goes as the worker sends it: nothing stands between the first view and its data. */
const callJson = createCall((url, init) => fetch(new Request(url, init)))

/** A file on its way through a bad network is asked for again; ky comes with the first of them. */
const callFile = createCall(async (url, init) => {
  const { default: ky } = await import('ky')
  return ky(url, { ...init, retry: { limit: 2 }, throwHttpErrors: false, timeout: false })
})

const isFile = ({ response }: Endpoint) => response !== null && 'file' in response

/** The page's way to the portal; the worker, which has to be small, has its own. See docs/decisions/0079. */
export const call: Call = <E extends Endpoint>(endpoint: E, options: CallOptions<E>) =>
  (isFile(endpoint) ? callFile : callJson)(endpoint, options)
