import type { ItemOf } from '#contract/endpoint.ts'
import type { Endpoints } from '#contract/endpoints.ts'
import { NoResponseError } from './api-error.ts'
import type { CallOptions, CallResult } from './call-options.ts'

export type EndpointName = keyof Endpoints
export type EndpointOptions<Name extends EndpointName> = CallOptions<Endpoints[Name]>
export type EndpointData<Name extends EndpointName> = CallResult<Endpoints[Name]>
export type EndpointListItem<Name extends EndpointName> = ItemOf<Endpoints[Name]>

/**
 * One method per endpoint of the contract.
 * @returns JSON, or a file with the name set by the server
 * @throws ApiError for an error response, NoResponseError if there is no usable response
 */
type Api = {
  readonly [Name in EndpointName]: (
    ...options: object extends EndpointOptions<Name>
      ? [options?: EndpointOptions<Name>]
      : [options: EndpointOptions<Name>]
  ) => Promise<EndpointData<Name>>
}

type CallByName = (name: string, options: object) => Promise<unknown>

/** The HTTP client is loaded after the first content, so that the first render does not wait for it. */
const loadClient = (): Promise<{ callEndpointByName: CallByName }> =>
  import('./call.ts').catch(cause => {
    throw new NoResponseError('the API client could not be loaded', { cause })
  })

/** The page's API client, typed by the contract: `api.getCourse({ params: { id } })`. */
export const api = new Proxy<Record<string, (options?: object) => Promise<unknown>>>(
  {},
  {
    get: (methods, name: string) =>
      (methods[name] ??= async (options = {}) => (await loadClient()).callEndpointByName(name, options)),
  },
) as unknown as Api
