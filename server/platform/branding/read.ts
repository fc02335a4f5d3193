import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { type BillingConfig, billingConfig } from '#contract/endpoints/billing.ts'
import { type Branding, branding } from '#contract/endpoints/branding.ts'
import { type Site, sites } from '#contract/endpoints/sites.ts'
import { checkIban } from '#server/platform/payments/iban-rules.ts'
import { toSepaText } from '#server/platform/payments/payment-order-rules.ts'
import { errorFactsOf } from '#server/platform/process/error-facts.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { findLowContrastPairs } from './colors.ts'

const FILE = 'branding.json'
const BILLING_FILE = 'billing.json'
const SITES_FILE = 'sites.json'
/** Folders whose files are served under their own names. */
export const BRANDING_FOLDERS = ['icons', 'logos', 'team', 'screens'] as const
/** Icons referenced in the page head, web app manifests and push messages. */
const ICONS = [
  'icon.svg',
  'icon-192.png',
  'icon-512.png',
  'maskable-192.png',
  'maskable-512.png',
  'apple-touch-icon.png',
  'badge-96.png',
]

/**
 * Reads billing.json from the first of these folders that contains it.
 * @throws StartError naming the file and the field
 */
export function readBillingSettings(folders: string[]): BillingConfig {
  for (const folder of folders) {
    const path = join(folder, BILLING_FILE)
    const text = readText(path)
    if (text === null) continue
    const settings = parseJson(path, billingConfig, text)
    const { iban, recipient } = settings.invoice
    if (checkIban(iban) !== 'valid')
      throw new StartError(`Branding: ${path}: invoice.iban ${iban} is not the IBAN of an account in SEPA`)
    if (toSepaText(recipient, 70) === '')
      throw new StartError(`Branding: ${path}: invoice.recipient ${recipient} cannot be written in a payment order`)
    return settings
  }
  throw new StartError(`Branding: ${folders.map(folder => join(folder, BILLING_FILE)).join(' and ')} cannot be found`)
}

/**
 * Reads the floor plans of the sites; empty if there is no sites.json.
 * @throws StartError naming the file and the field
 */
export function readSites(folder: string): Site[] {
  const path = join(folder, SITES_FILE)
  const text = readText(path)
  return text === null ? [] : parseJson(path, sites, text)
}

export type LoadedBranding = { branding: Branding; folder: string }

/**
 * Reads the branding from the first of these folders that contains a branding.json.
 * @throws StartError naming the file and the field
 */
export function readBranding(folders: string[]): LoadedBranding {
  for (const folder of folders) {
    const text = readText(join(folder, FILE))
    if (text !== null) return { branding: parse(folder, text), folder }
  }
  throw new StartError(`Branding: ${folders.map(folder => join(folder, FILE)).join(' and ')} cannot be found`)
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = errorFactsOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new StartError(`Branding: ${path} cannot be read (${code})`, { cause })
  }
}

function parseJson<S extends v.GenericSchema>(path: string, schema: S, text: string): v.InferOutput<S> {
  const fail = (problem: string) => new StartError(`Branding: ${path}: ${problem}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw fail(`is no JSON (${errorFactsOf(error).message})`)
  }
  const result = v.safeParse(schema, value)
  if (!result.success) throw fail(describe(result.issues[0]))
  return result.output
}

function parse(folder: string, text: string): Branding {
  const path = join(folder, FILE)
  const output = parseJson(path, branding, text)
  const [pale] = findLowContrastPairs(output.colors)
  if (pale) throw new StartError(`Branding: ${path}: ${pale}`)
  const missing = findMissingFile(folder, output)
  if (missing) throw new StartError(`Branding: ${join(folder, missing.file)} is missing (${missing.field})`)
  return output
}

function describe(issue: v.BaseIssue<unknown>): string {
  const where = v.getDotPath(issue) ?? 'the file'
  if (issue.type === 'strict_object')
    return issue.expected === 'never' ? `${where} is not known` : `${where} is missing`
  return issue.message.startsWith('must') ? `${where} ${issue.message}` : `${where} must be ${issue.expected}`
}

function findMissingFile(folder: string, { divisions, team }: Branding): { file: string; field: string } | undefined {
  const needed = [
    ...ICONS.map(name => ({ file: `icons/${name}`, field: 'one of the icons' })),
    ...divisions.map(({ logo }, index) => ({ file: `logos/${logo}`, field: `divisions.${index}.logo` })),
    ...team.map(({ portrait }, index) => ({ file: `team/${portrait}`, field: `team.${index}.portrait` })),
  ]
  const present = new Set(
    BRANDING_FOLDERS.flatMap(name => listFileNames(join(folder, name)).map(file => `${name}/${file}`)),
  )
  return needed.find(({ file }) => !present.has(file))
}

/** Names of the files in a folder; empty if the folder does not exist. */
export function listFileNames(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
      entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [],
    )
  } catch (cause) {
    const { code } = errorFactsOf(cause)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw new StartError(`Branding: ${folder} cannot be read (${code})`, { cause })
  }
}

type Values = Record<string, string>

export const placeholderValuesOf = (branding: Branding, language: 'de' | 'en'): Values => ({
  portal: branding.portalName,
  company: branding.name,
  department: branding.department[language],
  email: branding.email,
})

/** Replaces `{{name}}` placeholders; unknown ones stay unchanged. */
export const fillPlaceholders = (text: string, values: Values, write = (value: string) => value): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : write(value)
  })
