import type { Client, ClientOptions } from 'openapi-fetch'
import type { paths } from './portal.d.ts'

export type { components, paths, webhooks } from './portal.d.ts'

/** All calls of `/api/docs` by path, as in `portal.GET('/api/office/bookings')`; `token` is a service token. */
export function createPortal(
  options: Omit<ClientOptions, 'headers'> & { baseUrl: string; token: string },
): Client<paths>
