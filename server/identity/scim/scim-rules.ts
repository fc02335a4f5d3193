import * as v from 'valibot'
import { normalizeText } from '#contract/normalize.ts'
import { entriesOf } from '#contract/records.ts'
import { EMPLOYEE_STATUS, type EmployeeStatus } from '#contract/values.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE_SCHEMA = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const SCIM_MESSAGE_SCHEMAS = 'urn:ietf:params:scim:api:messages:2.0'

/** Error response with a SCIM error type. */
export class ScimProblem extends Error {
  readonly status: 400 | 404 | 409
  readonly scimType: string | undefined

  constructor(status: ScimProblem['status'], detail: string, scimType?: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}
const invalid = (detail: string) => new ScimProblem(400, detail, 'invalidValue')

/** Attributes of a SCIM user that are stored: those that the HR list requires and those that identify the person. */
export type ScimPerson = {
  userName: string
  externalId: string | null
  personnelNumber: string
  employeeStatus: EmployeeStatus | null
  /** id or name */
  division: string | null
  isActive: boolean
}

/** Initial values of a person without any attributes. */
export const EMPTY_SCIM_PERSON: ScimPerson = {
  userName: '',
  externalId: null,
  personnelNumber: '',
  employeeStatus: null,
  division: null,
  isActive: true,
}

const { Employee, Apprentice, Pensioner } = EMPLOYEE_STATUS
/** SCIM user types, which are also the statuses billed through the person's own personnel number. */
export const SCIM_USER_TYPES: Record<string, EmployeeStatus> = { Employee, Apprentice, Pensioner }
export const userTypeOf = (status: EmployeeStatus | null): string | undefined =>
  entriesOf(SCIM_USER_TYPES).find(([, number]) => number === status)?.[0]

const text = (max: number) =>
  v.pipe(v.string(), v.transform(normalizeText), v.trim(), v.maxLength(max), v.regex(/^\P{Cc}*$/u))
const read = <Output>(name: string, schema: v.GenericSchema<unknown, Output>, value: unknown): Output => {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw invalid(`${name} does not fit`)
}
const optionalText = (name: string, max: number, value: unknown): string | null =>
  read(name, v.nullish(text(max)), value) || null

/** Writable attributes by lower-case name, with their parsers. */
const SETTERS: Record<string, (value: unknown) => Partial<ScimPerson>> = {
  username: value => ({ userName: read('userName', v.pipe(text(200), v.nonEmpty()), value) }),
  externalid: value => ({ externalId: optionalText('externalId', 200, value) }),
  active: value => ({
    isActive: read(
      'active',
      v.union([
        v.boolean(),
        // Format used by Entra ID.
        v.pipe(
          v.string(),
          v.regex(/^(?:true|false)$/i),
          v.transform(word => word.toLowerCase() === 'true'),
        ),
      ]),
      value,
    ),
  }),
  usertype: value => {
    const type = optionalText('userType', 50, value)?.toLowerCase()
    const status = entriesOf(SCIM_USER_TYPES).find(([name]) => name.toLowerCase() === type)?.[1]
    if (type && status === undefined)
      throw invalid(`userType must be one of ${Object.keys(SCIM_USER_TYPES).join(', ')}`)
    return { employeeStatus: status ?? null }
  },
  employeenumber: value => ({ personnelNumber: read('employeeNumber', v.pipe(text(50), v.nonEmpty()), value) }),
  division: value => ({ division: optionalText('division', 200, value) }),
}
/** Attributes of the SCIM enterprise extension. */
const OF_ENTERPRISE = ['employeenumber', 'division']
/** Attributes that are accepted but ignored, as permitted by RFC 7644. */
const NOT_KEPT =
  /^(?:schemas|id|meta|name|displayname|nickname|profileurl|title|preferredlanguage|locale|timezone|password|emails|phonenumbers|ims|photos|addresses|groups|entitlements|roles|x509certificates|costcenter|organization|department|manager)(?:[.[].*)?$/
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Sets an attribute.
 * @param path for example `userName` or `urn:…:User:employeeNumber`
 */
function set(person: ScimPerson, path: string, value: unknown): ScimPerson {
  const plain = path.toLowerCase()
  const enterprise = ENTERPRISE_SCHEMA.toLowerCase()
  if (plain === enterprise) {
    if (!isRecord(value)) throw invalid(`${ENTERPRISE_SCHEMA} must be an object`)
    return setAll(person, value, `${enterprise}:`)
  }
  const name = plain.replace(`${enterprise}:`, '').replace(`${USER_SCHEMA.toLowerCase()}:`, '')
  const isEnterprise = plain.startsWith(`${enterprise}:`)
  const setter =
    Object.hasOwn(SETTERS, name) && OF_ENTERPRISE.includes(name) === isEnterprise ? SETTERS[name] : undefined
  if (setter) return { ...person, ...setter(value) }
  if (NOT_KEPT.test(name) || plain.startsWith('urn:')) return person
  throw new ScimProblem(400, `There is no attribute ${path.slice(0, 100)}`, 'invalidPath')
}

const setAll = (person: ScimPerson, values: Record<string, unknown>, prefix = ''): ScimPerson =>
  Object.entries(values).reduce((result, [name, value]) => set(result, `${prefix}${name}`, value), person)

/**
 * Verifies that all required attributes are present.
 * @throws ScimProblem naming the missing attribute
 */
function requireWhole(person: ScimPerson): ScimPerson {
  if (person.userName === '') throw invalid('userName is missing')
  if (person.personnelNumber === '') throw invalid(`${ENTERPRISE_SCHEMA}:employeeNumber is missing`)
  return person
}

/**
 * Parses the complete person in a POST or PUT request.
 * @throws ScimProblem
 */
export function parseScimPerson(body: unknown): ScimPerson {
  if (!isRecord(body)) throw new ScimProblem(400, 'The body is no object', 'invalidSyntax')
  return requireWhole(setAll(EMPTY_SCIM_PERSON, body))
}

const operations = v.object({
  operations: v.pipe(
    v.array(
      v.object({
        op: v.pipe(v.string(), v.toLowerCase(), v.picklist(['add', 'replace', 'remove'])),
        path: v.optional(v.pipe(v.string(), v.maxLength(300))),
        value: v.optional(v.unknown()),
      }),
    ),
    v.minLength(1),
    v.maxLength(100),
  ),
})
const smallKeys = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]))

/**
 * Applies PATCH operations to a person.
 * @throws ScimProblem
 */
export function patchScimPerson(person: ScimPerson, body: unknown): ScimPerson {
  const { operations: sent } = isRecord(body) ? smallKeys(body) : { operations: null }
  const list = Array.isArray(sent) ? sent.map(one => (isRecord(one) ? smallKeys(one) : one)) : sent
  const result = v.safeParse(operations, { operations: list })
  if (!result.success) throw new ScimProblem(400, 'The body is no PatchOp', 'invalidSyntax')
  return requireWhole(
    result.output.operations.reduce((changed, { op, path, value }) => {
      if (op === 'remove') {
        if (path === undefined) throw new ScimProblem(400, 'remove needs a path', 'noTarget')
        return set(changed, path, null)
      }
      if (path !== undefined) return set(changed, path, value)
      if (!isRecord(value)) throw invalid('value must be an object where there is no path')
      return setAll(changed, value)
    }, person),
  )
}

export type ScimFilter = { by: 'userName' | 'externalId' | 'id' | 'employeeNumber'; value: string }
const FILTER = /^\s*(?:urn:[\w:.]+:)?(\w+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i
const FILTERABLE: Record<string, ScimFilter['by']> = {
  username: 'userName',
  externalid: 'externalId',
  id: 'id',
  employeenumber: 'employeeNumber',
}

/**
 * Parses a filter such as `userName eq "…"`; null if there is none.
 * @throws ScimProblem
 */
export function parseScimFilter(filter: string | undefined): ScimFilter | null {
  if (filter === undefined || filter.trim() === '') return null
  const [, name = '', quoted = ''] = FILTER.exec(filter.slice(0, 1_000)) ?? []
  const by = FILTERABLE[name.toLowerCase()]
  // A value with control characters matches nothing: PostgreSQL text cannot contain NUL, and other control characters
  // are never stored.
  if (by && !/\p{Cc}/u.test(quoted)) return { by, value: quoted.slice(1, -1).replace(/\\(.)/g, '$1') }
  const names = Object.values(FILTERABLE).join(', ')
  throw new ScimProblem(400, `A filter is one of ${names}, eq and a text in quotes`, 'invalidFilter')
}

/** Attributes that are always returned (RFC 7643 §2.2). */
const ALWAYS = ['schemas', 'id']

/**
 * Applies the query parameters `attributes` and `excludedAttributes` (RFC 7644 §3.9). Sub-attributes and extensions can
 * only be selected as a whole.
 */
export function selectAttributes<Resource extends object>(
  resource: Resource,
  { attributes, excludedAttributes }: { attributes?: string; excludedAttributes?: string },
): Partial<Resource> {
  const namesIn = (list: string) => list.split(',').map(name => name.trim().toLowerCase())
  const isNamed = (names: string[], key: string) =>
    names.some(name => name === key || name.startsWith(`${key}.`) || name.startsWith(`${key}:`))
  const isChosen = (name: string) => {
    const key = name.toLowerCase()
    if (ALWAYS.includes(key)) return true
    if (attributes)
      return isNamed(namesIn(attributes), key) || namesIn(attributes).includes(`${USER_SCHEMA.toLowerCase()}:${key}`)
    return !excludedAttributes || !namesIn(excludedAttributes).includes(key)
  }
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isChosen(name))) as Partial<Resource>
}
