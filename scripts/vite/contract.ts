import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import type { Endpoint } from '#contract/endpoint.ts'

const CONTRACT = /[\\/]contract[\\/][\w-/\\]+\.ts$/
/**
 * Modules that the app needs to validate entries read from the outbox. They are loaded lazily, and are the only part of
 * the app that uses valibot.
 */
const CHECKED_HERE = /[\\/]contract[\\/]endpoints[\\/]attendance\.ts$/
/** Matches the module that collects the endpoints of all other files. */
const TABLE = /[\\/]contract[\\/]endpoints\.ts$/
/** Matches modules that define schemas, either directly or by means of field tables. */
const SCHEMAS = /from '(?:valibot|\.\.?\/(?:tables\/)?fields\.ts)'/
const hasSchemas = async (file: string) =>
  TABLE.test(file) || SCHEMAS.test(await readFile(file, 'utf8').catch(() => ''))
const isPlain = (value: unknown): boolean =>
  value instanceof RegExp ||
  (typeof value === 'object' ? Object.values(value ?? {}).every(isPlain) : typeof value !== 'function')

/** Properties of an endpoint that the API client needs. */
const toData = ({ method, path, access, response, takesFile }: Endpoint) => ({
  method,
  path,
  access,
  response: response === null || 'file' in response ? response : {},
  takesFile,
})

/**
 * Reduces contract modules with schemas to the endpoints, texts and numbers that the app needs. Otherwise, the schemas
 * and the validation library would be part of the app's entry chunk. See docs/decisions/0064.
 */
export const contractWithoutSchemas: Plugin = {
  name: 'contract-without-schemas',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!importer || !(source.startsWith('#contract/') || CONTRACT.test(importer))) return null
    const found = await this.resolve(source, importer, { skipSelf: true })
    if (!found || !CONTRACT.test(found.id) || CHECKED_HERE.test(found.id)) return null
    // A contract module with schemas imports other modules as a whole.
    const isWhole = CONTRACT.test(importer) && (await hasSchemas(importer))
    return isWhole || !(await hasSchemas(found.id)) ? null : `${found.id}?data`
  },
  async load(id) {
    const [file = '', query] = id.split('?')
    if (query !== 'data' || !CONTRACT.test(file)) return null
    const exported: Record<string, unknown> = await import(pathToFileURL(file).href)
    return Object.entries(exported)
      .flatMap(([name, value]) => {
        if (typeof value === 'object' && value !== null && 'method' in value) {
          return [`export const ${name} = ${JSON.stringify(toData(value as Endpoint))}`]
        }
        if (TABLE.test(file)) {
          const all = Object.entries(value as Record<string, Endpoint>)
          const table = Object.fromEntries(all.map(([key, endpoint]) => [key, toData(endpoint)]))
          return [`export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(table))})`]
        }
        if (!isPlain(value)) return []
        return [`export const ${name} = ${value instanceof RegExp ? value : JSON.stringify(value)}`]
      })
      .join('\n')
  },
}
