import type { Endpoint } from '#contract/endpoint.ts'
import { NoAnswerError } from './api-error.ts'
import { type Call, type CallOptions, createCall } from './call.ts'

/** JSON goes as the worker sends it: nothing stands between the first view and its data. */
const callJson = createCall((url, init) => fetch(new Request(url, init)))

const isFile = ({ response }: Endpoint) => response !== null && 'file' in response

const callFile: Call = async (endpoint, options) => {
  const { fetchFile } = await import('./file-call.ts').catch(cause => {
    throw new NoAnswerError('no answer', { cause })
  })
  return fetchFile(endpoint, options)
}

/** The page's way to the portal; the worker, which has to be small, has its own. See docs/decisions/0077. */
export const call: Call = <E extends Endpoint>(endpoint: E, options: CallOptions<E>) =>
  (isFile(endpoint) ? callFile : callJson)(endpoint, options)
