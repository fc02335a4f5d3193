import ky from 'ky'
import { createCall } from './call.ts'

/** File requests are retried, for unreliable networks. */
export const fetchFile = createCall((url, init) =>
  ky(url, { ...init, retry: { limit: 2 }, throwHttpErrors: false, timeout: false }),
)
