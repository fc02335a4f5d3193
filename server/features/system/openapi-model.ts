import { readFileSync } from 'node:fs'
import { type ActDefinition, requiredRightsOf } from '#contract/acts/act.ts'
import { ACTS, type ActKind, scopesForAct } from '#contract/acts/acts.ts'
import { descriptionKey, FIELD_DESCRIPTIONS } from '#contract/descriptions/field-descriptions.ts'
import { isKeyOf } from '#contract/records.ts'
import { BILLING_TYPE, BOOKING_STATUS, EMPLOYEE_STATUS } from '#contract/values.ts'

type Json = Record<string, unknown>

/** Example request and response of an API operation. `acts`: one example request for each type of office action. */
export type Example = {
  params?: Record<string, string | number>
  query?: Record<string, string>
  request?: Json
  acts?: Record<string, Json>
  response?: unknown
}

/** Examples by operation id. `examples.test.ts` records them from a real server. */
export const EXAMPLES: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('../../../contract/examples.json', import.meta.url), 'utf8'),
)

/** The subset of JSON Schema that the contract uses. */
export type JsonSchema = {
  $ref?: string
  const?: unknown
  enum?: unknown[]
  type?: string | string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  description?: string
  [keyword: string]: unknown
}
export type Content = Record<
  string,
  { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }
>
export type OpenApiResponse = {
  description: string
  content?: Content
  headers?: Record<string, { schema: JsonSchema }>
}
export type Parameter = {
  name: string
  in: string
  description?: string
  required?: boolean
  schema: JsonSchema
  example?: unknown
}
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Content }
  responses: Record<string, OpenApiResponse>
}
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; contact: { url: string } }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  /** webhooks by event name */
  webhooks: Record<string, { post: Omit<Operation, 'tags'> }>
  components: {
    schemas: Record<string, JsonSchema>
    securitySchemes: Record<string, { description: string; [field: string]: string }>
  }
}
/** Enum names of numeric values, for code generators. */
const NAMES_OF_NUMBERS: Record<string, Record<string, number>> = {
  employeeStatus: EMPLOYEE_STATUS,
  employeeStatuses: EMPLOYEE_STATUS,
  billingType: BILLING_TYPE,
  bookingStatus: BOOKING_STATUS,
  level: { First: 1, Second: 2, Third: 3 },
}

/** Name of a word such as `new-email` for code generators, which derive none from an empty one. */
const nameOfWord = (word: string): string =>
  word === '' ? 'None' : word.replace(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())

const namesOf = (field: string | undefined, { enum: values = [] }: JsonSchema): JsonSchema => {
  if (values.includes('')) return { 'x-enum-varnames': values.map(value => nameOfWord(String(value))) }
  const names = Object.entries(NAMES_OF_NUMBERS[field ?? ''] ?? {})
  const nameOf = (value: unknown) => names.find(([, number]) => number === value)?.[0]
  const found = values.flatMap(value => nameOf(value) ?? [])
  return found.length > 0 && found.length === values.length ? { 'x-enum-varnames': found } : {}
}
/** Description of a schema part or parameter. */
export const findFieldDescription = (key: string | undefined): { description?: string } => {
  const description = key && FIELD_DESCRIPTIONS[key]
  return description ? { description } : {}
}

/** Describes what an action does, what its result contains, and who may perform it. */
export function describeAct(kind: ActKind): string {
  const act: ActDefinition = ACTS[kind]
  const rights = requiredRightsOf(act).map(right => `\`${right}\``)
  const scopes = scopesForAct(kind).map(scope => `\`${scope}\``)
  const clients = scopes.length > 0 ? `; API clients: scope ${scopes.join(' or ')}` : '; not for API clients'
  const results = act.effects.result?.map(name => `\`${name}\``) ?? []
  const result = results.length > 0 ? ` In \`result\`: ${results.join(', ')}.` : ''
  return `${act.description}.${result} Right ${rights.join(' or ')}${clients}.`
}

/**
 * Adds descriptions to all properties.
 * @param holders names of the enclosing schemas, outermost first
 */
export function addDescriptions(schema: JsonSchema, holders: readonly string[]): JsonSchema {
  const { properties, items, anyOf, oneOf } = schema
  const kind = properties?.kind?.const
  // Actions are identified by their kind, because the same field may mean something different in each.
  const within = typeof kind === 'string' ? [...holders, kind] : holders
  const isAct = holders.length === 1 && holders[0] === 'performAct' && isKeyOf(ACTS, String(kind))
  const explained = Object.entries(properties ?? {}).map(([field, property]): [string, JsonSchema] => {
    const key = descriptionKey(within, field)
    return [field, { ...addDescriptions(property, [...within, field]), ...findFieldDescription(key) }]
  })
  return {
    ...schema,
    ...namesOf(holders.at(-1), schema),
    ...(isAct && { title: kind, description: describeAct(kind as ActKind) }),
    ...(properties && { properties: Object.fromEntries(explained) }),
    ...(items && { items: addDescriptions(items, within) }),
    ...(anyOf && { anyOf: anyOf.map(option => addDescriptions(option, within)) }),
    ...(oneOf && { oneOf: oneOf.map(option => addDescriptions(option, within)) }),
  }
}
