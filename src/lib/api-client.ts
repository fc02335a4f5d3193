import ky from 'ky'
import { createCall } from './call.ts'

const client = ky.create({ retry: 0, throwHttpErrors: false, timeout: false })

/** The page's way to the portal; the worker, which has to be small, has its own. */
export const call = createCall((url, init) => client(url, init))
