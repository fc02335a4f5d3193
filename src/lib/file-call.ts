import ky from 'ky'
import { createCall } from './call.ts'

/** A file on its way through a bad network is asked for again. */
export const fetchFile = createCall((url, init) =>
  ky(url, { ...init, retry: { limit: 2 }, throwHttpErrors: false, timeout: false }),
)
