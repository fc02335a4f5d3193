import * as http from 'node:http'
import type { Config, OutgoingProxy } from '#server/platform/config/config.ts'
import { StartError } from '#server/platform/process/start-error.ts'

/**
 * Sends all outgoing HTTPS requests of this process, those of `fetch` included, through the configured proxy. Requests
 * to addresses chosen by people (`ssrf-guarded-post.ts`) have agents of their own, which do the same.
 * @returns ends it
 * @throws StartError if this Node.js has no support for proxies
 */
export function enableOutgoingProxy({ outgoingProxy }: Pick<Config, 'outgoingProxy'>): () => void {
  if (outgoingProxy === null) return () => undefined
  if (!('setGlobalProxyFromEnv' in http))
    throw new StartError(
      `Settings: HTTPS_PROXY needs Node.js 24.14 or newer, this is ${process.versions.node}: take the setting away, or install Node.js 24`,
    )
  return http.setGlobalProxyFromEnv(outgoingProxy)
}

/** Whether requests to the host are sent through the proxy, by the rules that Node.js applies to NO_PROXY. */
export const isProxied = ({ NO_PROXY }: OutgoingProxy, host: string): boolean =>
  !NO_PROXY.split(',').some(rule => {
    const name = host.toLowerCase()
    if (rule === '*' || rule === name) return true
    return /^\*?\./.test(rule) && name.endsWith(rule.replace(/^\*/, ''))
  })
