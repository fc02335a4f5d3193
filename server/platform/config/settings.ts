import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { type ClaimMapping, claimMapping } from '#contract/endpoints/company.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const REGIONS = ['BB', 'BE', 'BW', 'BY', 'HB', 'HE', 'HH', 'MV', 'NI', 'NW', 'RP', 'SH', 'SL', 'SN', 'ST', 'TH']

const succeeds = (attempt: () => unknown) => {
  try {
    attempt()
    return true
  } catch {
    // The caller reports which value is invalid.
    return false
  }
}

const isUrl = (protocols: string[]) => (value: string) => {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(value)
  const hasHost = hostname !== '' || searchParams.has('host')
  return protocols.includes(protocol) && hasHost && succeeds(() => decodeURIComponent(username + password + pathname))
}

// PostgreSQL inverts the sign of UTC offsets.
const isTimeZone = (value: string) =>
  !/^[+-]/.test(value) && succeeds(() => new Intl.DateTimeFormat('de', { timeZone: value }))

const setting = (fallback: string) => v.optional(v.pipe(v.string(), v.trim()), fallback)
const isHost = (value: string) => isIP(value) !== 0 || /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value)

const isOrigin = (value: string) => isUrl(['https:', 'http:'])(value) && new URL(value).origin === value

/** Whether a URL is a valid OpenID Connect issuer. An issuer on the same machine may use plain HTTP. */
const isIssuer = (value: string) =>
  isUrl(['https:'])(value) ||
  (isUrl(['http:'])(value) && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(value).hostname))

/**
 * Parses a comma-separated list of networks in CIDR notation or single IP addresses; null if one of them is invalid.
 */
export function parseNetworks(list: string): BlockList | null {
  const networks = new BlockList()
  for (const network of list.split(',').map(part => part.trim())) {
    const [address = '', prefix, ...rest] = network.split('/')
    const bits = isIP(address) === 6 ? 128 : 32
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (isIP(address) === 0 || rest.length > 0 || !(length <= bits)) return null
    networks.addSubnet(address, length, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
  return networks
}

/** Parses a listen address: a port on the loopback interface, or an address with a port; null if it is invalid. */
export function parseListenAddress(text: string): { host: string; port: number } | null {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(\[[0-9a-f:]+\]|[a-z0-9.-]+):)?(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  return port >= 1 && port <= 65_535 ? { host: host.replace(/^\[|\]$/g, ''), port } : null
}

const MOST_PROCESSES = 4
const BYTES_EACH = 2 ** 30

/**
 * Default number of processes: half the number of cores, because the database needs the others, and at most one per GB
 * of memory.
 */
export const defaultProcessCount = (
  cores = availableParallelism(),
  bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
): number => Math.max(1, Math.min(MOST_PROCESSES, Math.floor(cores / 2), Math.floor(bytes / BYTES_EACH)))

/** All settings with their parsers, by the name of the environment variable. */
export const settingsSchema = v.object({
  PROCESSES: v.pipe(
    setting('auto'),
    v.check(value => /^(?:auto|[1-9]|1[0-6])$/.test(value), 'must be auto or a number from 1 to 16'),
    v.transform(value => (value === 'auto' ? defaultProcessCount() : Number(value))),
  ),
  HOST: v.pipe(setting('127.0.0.1'), v.check(isHost, 'must be an address or a host name, as in 127.0.0.1 or 0.0.0.0')),
  PORT: v.pipe(
    setting('8080'),
    v.check(value => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, 'must be a number from 0 to 65535'),
    v.transform(Number),
  ),
  METRICS_PORT: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check(
        value => parseListenAddress(value) !== null,
        'must be a port from 1 to 65535, or an address with a port as in 0.0.0.0:9464',
      ),
    ),
  ),
  DATA_DIR: v.pipe(
    setting('./data'),
    v.minLength(1, 'must name a folder'),
    v.transform(folder => resolve(folder)),
  ),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      // libpq takes the host from the query: postgres://user@/database?host=/run/postgresql.
      v.transform(url => url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)\/(?=.*[?&]host=)/, '$1localhost/')),
      // pg verifies the certificate in these modes as well, but warns that libpq does not.
      v.transform(url =>
        /[?&]uselibpqcompat=true/.test(url)
          ? url
          : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full'),
      ),
      v.check(
        isUrl(['postgres:', 'postgresql:']),
        'must be an address as in postgres://user:password@host:5432/database',
      ),
    ),
  ),
  DEMO: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
  PUBLIC_URL: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check(isUrl(['http:', 'https:']), 'must be an address as in https://sport.example.com'),
      v.transform(url => new URL(url)),
      v.check(
        ({ href, origin }) => href === `${origin}/`,
        'must be an address without a path, as in https://sport.example.com',
      ),
      v.transform(({ origin }) => origin),
    ),
  ),
  TRUSTED_PROXIES: v.optional(
    v.pipe(
      v.string(),
      v.check(list => parseNetworks(list) !== null, 'must be networks as in 10.0.0.0/8, 2001:db8::/32'),
    ),
  ),
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check(isUrl(['smtp:', 'smtps:']), 'must be an address as in smtp://user:password@mail.example.com:587'),
    ),
  ),
  MAIL_FROM: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.regex(
        /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        'must be an address as in Sport <sport@example.com>',
      ),
    ),
  ),
  REGION: v.pipe(
    setting('DE-NI'),
    v.check(
      region => REGIONS.includes(region.replace(/^DE-/, '')) && region.startsWith('DE-'),
      `must be a German state: ${REGIONS.map(state => `DE-${state}`).join(', ')}`,
    ),
  ),
  TIME_ZONE: v.pipe(setting('Europe/Berlin'), v.check(isTimeZone, 'must be a time zone as in Europe/Berlin')),
  OIDC_ISSUER: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check(isIssuer, 'must be an address as in https://login.example.com/realms/company'),
    ),
  ),
  OIDC_CLIENT_ID: v.optional(v.pipe(v.string(), v.trim())),
  OIDC_CLIENT_SECRET: v.optional(v.pipe(v.string(), v.trim())),
  OIDC_MAPPING: v.optional(v.pipe(v.string(), v.trim())),
  HR_FOLDER: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('must name a folder'))),
  WEBHOOK_NETWORKS: v.optional(
    v.pipe(
      v.string(),
      v.check(list => parseNetworks(list) !== null, 'must be networks as in 10.0.0.0/8, 2001:db8::/32'),
    ),
  ),
  HTTPS_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check(isUrl(['http:', 'https:']), 'must be an address as in http://proxy.example.com:3128'),
    ),
  ),
  NO_PROXY: v.optional(
    v.pipe(
      v.string(),
      v.transform(list => list.split(',').map(part => part.trim().toLowerCase())),
      v.check(
        list => list.every(part => /^(?:\*|(?:\*?\.)?[a-z\d-]+(?:\.[a-z\d-]+)*)$/.test(part)),
        'must be host names as in login.example.com, .intern.example.com',
      ),
      v.transform(list => list.join(',')),
    ),
  ),
  EMBED_ORIGINS: v.optional(
    v.pipe(
      v.string(),
      v.transform(list => list.split(',').map(part => part.trim())),
      v.check(list => list.every(isOrigin), 'must be origins as in https://intranet.example.com, separated by commas'),
    ),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.check(isUrl(['http:', 'https:']), 'must be an address as in http://collector.example.com:4318'),
      v.transform(url => url.replace(/\/+$/, '')),
    ),
  ),
  OTEL_SERVICE_NAME: setting('sports-course-portal'),
  OFFICE_PASSKEY: v.optional(v.picklist(['required', 'off'], 'must be required or off')),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
      'must be fatal, error, warn, info, debug or silent',
    ),
    'info',
  ),
})

/**
 * Reads the claim mapping.
 * @throws StartError naming the file and the invalid field
 */
export function readClaimMapping(path: string): ClaimMapping {
  const fail = (problem: string, cause?: unknown) => new StartError(`OIDC_MAPPING: ${path}: ${problem}`, { cause })
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const { code, message } = errorFactsOf(cause)
    throw fail(code ? `cannot be read (${code})` : `is no JSON (${message})`, cause)
  }
  const result = v.safeParse(claimMapping, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue)
  if (issue.type === 'strict_object') throw fail(`${field} is ${issue.expected === 'never' ? 'unknown' : 'missing'}`)
  throw fail(
    `${field ?? 'it'} ${/^(?:must|is) /.test(issue.message) ? issue.message : `does not fit: ${issue.message}`}`,
  )
}
