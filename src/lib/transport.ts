import type { Endpoint } from '#contract/endpoint.ts'
import { endpoints } from '#contract/endpoints.ts'
import { call } from './call.ts'
import type { CallOptions } from './call-options.ts'

/** Calls an endpoint of the contract by name. */
export async function send(name: string, options: object): Promise<unknown> {
  const endpoint = endpoints[name]
  if (!endpoint) throw new Error(`the contract has no endpoint ${name}`)
  return call(endpoint, options as CallOptions<Endpoint>)
}
