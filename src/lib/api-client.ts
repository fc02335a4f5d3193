import type { Endpoint } from '#contract/endpoint.ts'
import { NoAnswerError } from './api-error.ts'
import { type Call, type CallOptions, createCall } from './call.ts'

/**
 * JSON requests use plain `fetch`, without the retry library of `file-call.ts`, to keep the first view's critical path
 * small.
 */
const callJson = createCall((url, init) => fetch(new Request(url, init)))

const isFile = ({ response }: Endpoint) => response !== null && 'file' in response

const callFile: Call = async (endpoint, options) => {
  const { fetchFile } = await import('./file-call.ts').catch(cause => {
    throw new NoAnswerError('no response', { cause })
  })
  return fetchFile(endpoint, options)
}

/** API client of the page; the service worker has its own, smaller one. See docs/decisions/0077. */
export const call: Call = <E extends Endpoint>(endpoint: E, options: CallOptions<E>) =>
  (isFile(endpoint) ? callFile : callJson)(endpoint, options)
