import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** Headers for programs that are no browsers of today. */
const OBSOLETE = {
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
}

/**
 * What browsers may do with our answers, unless an answer says so itself; the app's files do without what concerns pages and workers.
 * See docs/decisions/0010. @param isSecure people reach the portal over https, and are to do so always
 */
export function securityHeaders(isSecure: boolean): MiddlewareHandler {
  // Without includeSubDomains: see docs/operation.md, behind a proxy.
  const strictTransportSecurity = isSecure && 'max-age=31536000'
  const forPages = pageHeaders(strictTransportSecurity)
  const forAssets = secureHeaders({
    ...OBSOLETE,
    strictTransportSecurity,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xFrameOptions: false,
  })
  // An answer of the interface that is opened by itself shows and runs nothing, and tells nobody its address.
  const forInterface = secureHeaders({
    ...OBSOLETE,
    strictTransportSecurity,
    overwrite: false,
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
  })
  const [interfaceSide, assetSide, pageSide] = [forInterface, forAssets, forPages].map(setEarly)
  return (c, next) => {
    if (IS_INTERFACE.test(c.req.path)) return interfaceSide?.(c, next) ?? next()
    return (IS_PLAIN_ASSET.test(c.req.path) ? assetSide : pageSide)?.(c, next) ?? next()
  }
}

export type Headed = [name: string, value: string][]

/** What a middleware puts on an answer that has nothing of its own. */
async function collectHeaders(middleware: MiddlewareHandler): Promise<Headed> {
  const app = new Hono().use(middleware).get('/', c => c.body(null))
  return [...(await app.request('/')).headers]
}

/** Set before the answer is made, which keeps its own: put on a web answer one by one they would take longer than the answer. */
function setEarly(middleware: MiddlewareHandler): MiddlewareHandler {
  let known: Headed | null = null
  void collectHeaders(middleware).then(headers => {
    known = headers
  })
  return (c, next) => {
    const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse }
    if (!outgoing || !known) return middleware(c, next)
    for (const [name, value] of known) outgoing.setHeader(name, value)
    return next()
  }
}

/** What every answer of a part of the portal has, by an address in it. */
export async function commonHeaders(isSecure: boolean): Promise<(path: string) => Headed> {
  const app = new Hono().use(securityHeaders(isSecure)).get('*', c => c.body(null))
  const headersAt = async (path: string): Promise<Headed> => [...(await app.request(path)).headers]
  const [ofInterface, ofAssets, ofPages] = await Promise.all(['/api', '/assets/a.js', '/'].map(headersAt))
  return path => (IS_INTERFACE.test(path) ? ofInterface : IS_PLAIN_ASSET.test(path) ? ofAssets : ofPages) ?? []
}

const IS_INTERFACE = /^\/api(?:\/|$)/i
const IS_PLAIN_ASSET = /^\/assets\/(?!.*worker)/

const POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  workerSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  // The app's own (src/lib/trusted-types.ts) and the cleaner's.
  trustedTypes: ['default', 'dompurify'],
}
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The headers of a page that holds these scripts and styles itself, letter by letter, and no others. */
export async function headersOfPageWith(scripts: string[], styles: string[]): Promise<Record<string, string>> {
  const contentSecurityPolicy = {
    ...POLICY,
    scriptSrc: [...POLICY.scriptSrc, ...scripts.map(hashOf)],
    styleSrc: [...POLICY.styleSrc, ...styles.map(hashOf)],
  }
  const headers = await collectHeaders(secureHeaders({ contentSecurityPolicy }))
  const name = 'content-security-policy'
  return Object.fromEntries(headers.filter(header => header[0].toLowerCase() === name))
}

const pageHeaders = (strictTransportSecurity: string | false) =>
  secureHeaders({
    ...OBSOLETE,
    strictTransportSecurity,
    overwrite: false,
    contentSecurityPolicy: POLICY,
    xFrameOptions: 'DENY',
    referrerPolicy: 'strict-origin-when-cross-origin',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    permissionsPolicy: {
      camera: [],
      microphone: [],
      geolocation: [],
      payment: [],
      usb: [],
      serial: [],
      accelerometer: [],
      gyroscope: [],
      magnetometer: [],
      midi: [],
      displayCapture: [],
    },
  })
