import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import * as v from 'valibot'
import type { BillingConfig } from '#contract/endpoints/billing.ts'
import type { Branding } from '#contract/endpoints/branding.ts'
import type { ClaimMapping } from '#contract/endpoints/company.ts'
import { readBillingSettings, readBranding } from '#server/platform/branding/read.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { parseListenAddress, parseNetworks, readClaimMapping, settingsSchema } from './settings.ts'

const OWN_BRANDING = join(import.meta.dirname, '../../../branding')
const LOOPBACK = '127.0.0.0/8, ::1/128'

export type CompanyLogin = {
  issuer: string
  clientId: string
  /** null for a public client */
  clientSecret: string | null
  mapping: ClaimMapping
}

export type OutgoingProxy = { HTTPS_PROXY: string; NO_PROXY: string }

export type Config = {
  host: string
  /** 0: any free port */
  port: number
  /** address of GET /metrics; null: disabled */
  metricsAddress: { host: string; port: number } | null
  /** OTLP/HTTP endpoint and service name for traces; null: tracing is disabled */
  tracing: { url: string; serviceName: string } | null
  /** number of processes; 1: only the primary process */
  processes: number
  /** absolute */
  dataDir: string
  /** null: uses the embedded PostgreSQL under dataDir */
  databaseUrl: string | null
  isDemo: boolean
  /**
   * whether the demo accounts, whose password is public, can log in: always, never, or until another programme is
   * imported
   */
  demoAccounts: 'open' | 'closed' | 'until-import'
  /** public URL without a trailing slash; default: the listen address */
  publicUrl: string
  /** proxies whose forwarding headers are trusted */
  trustedProxies: BlockList
  /** null: e-mails are written to dataDir/outbox as .eml files */
  smtpUrl: string | null
  mailFrom: string
  /** the operator's branding, read from DATA_DIR/branding or the folder `branding` next to package.json */
  branding: Branding
  /** formats of the payroll file and invoices, read from billing.json next to branding.json */
  billing: BillingConfig
  brandingFolder: string
  /** ISO 3166-2 code of a German state, such as DE-NI */
  region: string
  /** whether office permissions require a session that was confirmed with a passkey */
  isPasskeyRequired: boolean
  /**
   * whether passkeys are optional only by default; they become required once an account other than the demo accounts
   * can log in
   */
  isPasskeyOffByDefault: boolean
  /** absolute path of the folder from which HR lists are imported */
  hrFolder: string
  /** private networks to which webhooks may be sent */
  webhookNetworks: BlockList
  /** proxy of all outgoing HTTPS requests, and the hosts that are called directly; null: none */
  outgoingProxy: OutgoingProxy | null
  /** origins that may embed the course list in a frame */
  embedOrigins: string[]
  /** company single sign-on with OpenID Connect; null: disabled */
  companyLogin: CompanyLogin | null
  /** IANA name */
  timeZone: string
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
}

/**
 * Whether people with rights are asked to set up a passkey. Where passkeys are optional only by default, the link has to
 * be there before they become required.
 */
export const asksForPasskeys = ({
  isPasskeyRequired,
  isPasskeyOffByDefault,
}: Pick<Config, 'isPasskeyRequired' | 'isPasskeyOffByDefault'>): boolean => isPasskeyRequired || isPasskeyOffByDefault

/** URL of the portal for a browser on this machine. */
export function listenUrl(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** Folder from which the user ran the command. npm changes the working directory to the portal's folder. */
export const callerWorkingDirectory = (): string => process.env.INIT_CWD ?? process.cwd()

/** The first of these options that npm consumed itself because `--` was missing before it. */
export const findOptionConsumedByNpm = (names: readonly string[]): string | undefined =>
  names.find(name => process.env[`npm_config_${name.replaceAll('-', '_')}`] === 'true')

/** Search path of executables. */
export const executableSearchPath = (): string[] =>
  (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')

/** Version of the running portal. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version

/** Whether systemd expects a readiness notification (`Type=notify`). */
export const isSystemdNotifyExpected = (): boolean => process.env.NOTIFY_SOCKET !== undefined

/** Environment variables of a build, which always uses production mode. */
export const buildEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, NODE_ENV: 'production' })

/**
 * Settings that contain a secret. Each can also be read from the file named in NAME_FILE, as is common for container
 * secrets.
 */
const SECRETS = ['DATABASE_URL', 'SMTP_URL', 'OIDC_CLIENT_SECRET', 'HTTPS_PROXY']

function readSecrets(given: Record<string, string | undefined>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of SECRETS) {
    const file = given[`${name}_FILE`]
    if (file === undefined) continue
    if (given[name] !== undefined)
      throw new StartError(`Settings: ${name} and ${name}_FILE are both set: take one away`)
    try {
      found[name] = readFileSync(file.trim(), 'utf8').trim()
    } catch (cause) {
      throw new StartError(`Settings: ${name}_FILE names ${file}, which cannot be read`, { cause })
    }
    if (found[name] === '') throw new StartError(`Settings: ${name}_FILE names ${file}, which is empty`)
  }
  return found
}

/** File in DATA_DIR that contains the claim mapping, unless OIDC_MAPPING names another file. */
const MAPPING_FILE = 'oidc.json'

function readCompanyLogin(given: v.InferOutput<typeof settingsSchema>): CompanyLogin | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_MAPPING: file } = given
  if (!issuer && !clientId && !clientSecret && !file) return null
  if (!issuer || !clientId) throw new StartError(`Settings: ${issuer ? 'OIDC_CLIENT_ID' : 'OIDC_ISSUER'} is missing`)
  const mapping = readClaimMapping(file ? resolve(file) : join(given.DATA_DIR, MAPPING_FILE))
  return { issuer, clientId, clientSecret: clientSecret ?? null, mapping }
}

/**
 * Reads the settings from environment variables. Empty values are treated as unset.
 * @throws StartError that names every invalid setting without its value, which may be a password
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  const result = v.safeParse(settingsSchema, { ...given, ...readSecrets(given) })
  if (!result.success) {
    throw new StartError(
      `Settings: ${result.issues.map(issue => `${v.getDotPath(issue)} ${issue.message}`).join('; ')}`,
    )
  }
  const { output } = result
  const { branding, folder } = readBranding([join(output.DATA_DIR, 'branding'), OWN_BRANDING])
  const isDemo = output.DEMO ? output.DEMO === 'on' : !output.DATABASE_URL
  const isPasskeyOffByDefault = !output.OFFICE_PASSKEY && isDemo && !output.PUBLIC_URL
  const networks = output.TRUSTED_PROXIES ?? (output.PUBLIC_URL ? LOOPBACK : null)
  return {
    processes: output.PROCESSES,
    metricsAddress: output.METRICS_PORT ? parseListenAddress(output.METRICS_PORT) : null,
    tracing: output.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { url: `${output.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`, serviceName: output.OTEL_SERVICE_NAME }
      : null,
    host: output.HOST,
    port: output.PORT,
    dataDir: output.DATA_DIR,
    databaseUrl: output.DATABASE_URL ?? null,
    isDemo,
    isPasskeyRequired: output.OFFICE_PASSKEY ? output.OFFICE_PASSKEY === 'required' : !isPasskeyOffByDefault,
    isPasskeyOffByDefault,
    demoAccounts: output.DEMO === 'on' ? 'open' : output.PUBLIC_URL ? 'closed' : 'until-import',
    publicUrl: output.PUBLIC_URL ?? listenUrl(output.HOST, output.PORT),
    trustedProxies: (networks && parseNetworks(networks)) || new BlockList(),
    smtpUrl: output.SMTP_URL ?? null,
    mailFrom: output.MAIL_FROM ?? `${branding.portalName} <${branding.email}>`,
    branding,
    billing: readBillingSettings([folder, OWN_BRANDING]),
    brandingFolder: folder,
    hrFolder: resolve(output.HR_FOLDER ?? join(output.DATA_DIR, 'hr')),
    webhookNetworks: (output.WEBHOOK_NETWORKS && parseNetworks(output.WEBHOOK_NETWORKS)) || new BlockList(),
    outgoingProxy: output.HTTPS_PROXY ? { HTTPS_PROXY: output.HTTPS_PROXY, NO_PROXY: output.NO_PROXY ?? '' } : null,
    embedOrigins: output.EMBED_ORIGINS ?? [],
    companyLogin: readCompanyLogin(output),
    region: output.REGION,
    timeZone: output.TIME_ZONE,
    logLevel: output.LOG_LEVEL,
  }
}

/** Like `readConfig`, but for the database with the given URL. @throws StartError like `readConfig` */
export const readConfigForDatabase = (databaseUrl: string): Config =>
  readConfig({ ...process.env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: undefined })

/**
 * How a command of the portal is called on this machine, for messages to operators: `npm run NAME -- ARGUMENTS` in the
 * project, `portal NAME ARGUMENTS` in a release, which has no npm (packaging/portal sets PORTAL_COMMAND).
 */
export function commandLine(name: string, args = ''): string {
  const { PORTAL_COMMAND } = process.env
  if (PORTAL_COMMAND) return [PORTAL_COMMAND, name, args].filter(Boolean).join(' ')
  return `npm run ${name}${args && ` -- ${args}`}`
}
