import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** Disables headers that current browsers ignore. */
const OBSOLETE = {
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
}

/**
 * Sets security headers, which a response may override. The app's files omit headers that apply only to pages and
 * workers. See docs/decisions/0010.
 * @param isSecure whether clients reach the portal over HTTPS, which enables HSTS
 */
export function securityHeaders(isSecure: boolean): MiddlewareHandler {
  // For the reason why includeSubDomains is omitted, see docs/operation/proxies.md.
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
  // Headers of API responses. If a response is opened as a document, it cannot run scripts and sends no referrer.
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
  // The feature itself defines which origins may embed it in a frame, which X-Frame-Options cannot express.
  const forEmbedded = secureHeaders({
    ...OBSOLETE,
    strictTransportSecurity,
    overwrite: false,
    xFrameOptions: false,
    referrerPolicy: 'strict-origin-when-cross-origin',
  })
  const [interfaceSide, assetSide, embeddedSide, pageSide] = [forInterface, forAssets, forEmbedded, forPages].map(
    setEarly,
  )
  return (c, next) => {
    if (IS_INTERFACE.test(c.req.path)) return interfaceSide?.(c, next) ?? next()
    if (c.req.path === '/embed') return embeddedSide?.(c, next) ?? next()
    return (IS_PLAIN_ASSET.test(c.req.path) ? assetSide : pageSide)?.(c, next) ?? next()
  }
}

type Headed = [name: string, value: string][]

/** Collects the headers that a middleware sets on an empty response. */
async function collectHeaders(middleware: MiddlewareHandler): Promise<Headed> {
  const app = new Hono().use(middleware).get('/', c => c.body(null))
  return [...(await app.request('/')).headers]
}

/**
 * Sets the middleware's headers before the handler runs, so that the handler's own headers take precedence. Setting
 * them one by one on the response would take longer than creating the response itself.
 */
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
  // Trusted Types policies of the app (src/main.tsx) and of DOMPurify.
  trustedTypes: ['default', 'dompurify'],
}
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Headers for a page whose content security policy allows exactly these inline scripts and styles by their hashes. */
export async function headersForInlineCode(scripts: string[], styles: string[]): Promise<Record<string, string>> {
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
