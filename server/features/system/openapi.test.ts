import { createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { ACTS } from '#contract/acts/acts.ts'
import { ENDPOINT_DESCRIPTIONS } from '#contract/descriptions/endpoint-descriptions.ts'
import { descriptionKey, FIELD_DESCRIPTIONS } from '#contract/descriptions/field-descriptions.ts'
import { endpoints } from '#contract/endpoints.ts'
import { SCOPES, WEBHOOK_KINDS } from '#contract/values.ts'
import { renderApiDocs } from './docs-model.ts'
import { createOpenApiDocument } from './openapi.ts'
import { EXAMPLES, type JsonSchema } from './openapi-model.ts'

const description = createOpenApiDocument('https://sport.example.com')
const { paths } = description

test.each(Object.entries(endpoints))('%s is described as the contract has it', (name, endpoint) => {
  const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
  const operation = paths[path]?.[endpoint.method.toLowerCase()]
  if (!operation) throw new Error('not described')
  expect(operation.operationId).toBe(name)
  expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined || endpoint.takesFile !== undefined)
  const inPath = operation.parameters.filter(parameter => parameter.in === 'path').map(({ name }) => `{${name}}`)
  expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
  expect(Object.keys(operation.responses)).toContain(
    endpoint.redirects ? '302' : endpoint.response === null ? '204' : '200',
  )
  if (endpoint.access === 'session' || endpoint.access === 'instructor') {
    expect(operation.security).toEqual([{ SessionToken: [] }])
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403']))
  }
})

test('a call whose response depends on the session may return 401', () => {
  expect(paths['/api/photo/{albumId}']?.get?.responses).toHaveProperty('401')
})

test('the document contains nothing beyond the contract', () => {
  const described = Object.values(paths).flatMap(methods =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(described.sort()).toEqual(Object.keys(endpoints).sort())
})

test('every operation is described, and no description is unused', () => {
  expect(Object.keys(ENDPOINT_DESCRIPTIONS).sort()).toEqual(Object.keys(endpoints).sort())
})

test('the example of a parameter matches its type', () => {
  const given = Object.values(paths).flatMap(methods => Object.values(methods).flatMap(call => call.parameters))
  const types = given.flatMap(({ name, example, schema }) =>
    example === undefined ? [] : [[name, schema.type, typeof example === 'number' ? 'integer' : typeof example]],
  )
  expect(types.length).toBeGreaterThan(10)
  for (const [name, type, found] of types) expect([name, found]).toEqual([name, type])
})

test('every reference resolves', () => {
  const { schemas } = description.components
  const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(20)
  for (const [, name = ''] of references) expect(schemas).toHaveProperty(name)
  expect(JSON.stringify(description)).not.toContain('#/$defs/')
})

test('each constant and enumeration has a type, without which some generators take any value', () => {
  const untyped: unknown[] = []
  JSON.stringify(description, (key, value) => {
    const isSchema = key !== 'example' && typeof value === 'object' && value !== null
    if (isSchema && ('const' in value || Array.isArray(value.enum)) && value.type === undefined) untyped.push(value)
    return value
  })
  expect(untyped).toEqual([])
})

test('enumerations with an empty value have names, because generators derive none from it', () => {
  const names = new Set<unknown>()
  JSON.stringify(description, (_, value) => {
    if (Array.isArray(value?.enum) && value.enum.includes('')) names.add(value['x-enum-varnames']?.slice(0, 2).join())
    return value
  })
  expect([...names].sort()).toEqual(['None,Activation', 'None,Cancelled'])
})

type Described = { at: string; key?: string; description?: string; type?: string }

/** Type of a value for comparing descriptions: number, array …; empty if the schema allows several types. */
function typeOf({ $ref, type, const: value, enum: values, anyOf, oneOf }: JsonSchema): string {
  if ($ref) return nameOfReference($ref) === 'dateTimeValue' ? 'string' : 'object'
  const options = anyOf ?? oneOf
  const types = options?.map(typeOf) ?? [type ?? (values ?? [value]).map(one => typeof one)].flat()
  const kinds = new Set(types.map(one => (one === 'integer' ? 'number' : one)).filter(one => one !== 'null'))
  return kinds.size === 1 ? [...kinds].join() : ''
}
const nameOfReference = (reference: string) => reference.split('/').at(-1)

/** Lists all properties of a schema with the names of their parents. */
function propertiesOf(schema: JsonSchema, holders: string[]): Described[] {
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema
  const kind = properties.kind?.const
  const within = typeof kind === 'string' ? [...holders, kind] : holders
  return [
    ...Object.entries(properties).flatMap(([name, property]) => [
      {
        at: [...within, name].join('.'),
        key: descriptionKey(within, name),
        description: property.description,
        type: typeOf(property),
      },
      ...propertiesOf(property, [...within, name]),
    ]),
    ...[...(items ? [items] : []), ...anyOf, ...oneOf].flatMap(part => propertiesOf(part, within)),
  ]
}

test('every property and parameter is described, and no description is unused', () => {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  const all = [
    ...Object.entries(description.components.schemas).flatMap(([name, schema]) => propertiesOf(schema, [name])),
    ...operations.flatMap(({ operationId, parameters, requestBody, responses }) => [
      ...parameters.map(({ name, description, schema }) => ({
        at: `${operationId}?${name}`,
        key: descriptionKey([operationId], name),
        description,
        type: typeOf(schema),
      })),
      ...[requestBody, ...Object.values(responses)].flatMap(body =>
        Object.values(body?.content ?? {}).flatMap(({ schema }) => propertiesOf(schema, [operationId])),
      ),
    ]),
  ]
  expect(all.length).toBeGreaterThan(1_000)
  const missing = all.filter(({ description }) => !description).map(({ at }) => at)
  expect(missing, `add to contract/descriptions/: ${missing.join(', ')}`).toEqual([])
  const used = new Set(all.map(({ key }) => key))
  expect(Object.keys(FIELD_DESCRIPTIONS).filter(key => !used.has(key))).toEqual([])
  // Fields with the same name but different types need separate descriptions.
  const isAmbiguous = (fields: Described[]) => new Set(fields.map(({ type }) => type).filter(Boolean)).size > 1
  const ambiguous = [...Map.groupBy(all, ({ key }) => key)].filter(([key, fields]) => key && isAmbiguous(fields))
  expect(ambiguous.map(([key]) => key).sort()).toEqual(['after', 'keepSession'])
})

test('the document states which calls accept service tokens', () => {
  expect(paths['/api/office/programme.zip']?.get?.security).toEqual([
    { SessionToken: [] },
    { ServiceToken: ['programme-read'] },
    { ServiceToken: ['programme'] },
  ])
  expect(description.components.securitySchemes.ServiceToken).toMatchObject({ type: 'http', scheme: 'bearer' })
})

test('the documentation page has an anchor for each call and event, and no broken link', () => {
  const { html } = renderApiDocs(description, 'Portal <b>')
  const anchors = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const name of Object.keys(endpoints)) expect(anchors).toContain(name)
  for (const { post } of Object.values(description.webhooks)) expect(anchors).toContain(post.operationId)
  for (const [, id] of html.matchAll(/href="#([^"]+)"/g)) expect(anchors).toContain(id)
  expect(html).not.toMatch(/<b>|undefined|<script|\[object/)
})

test('events of webhooks are described, tags are declared, and numeric query parameters are integers', () => {
  expect(Object.keys(description.webhooks)).toEqual([...WEBHOOK_KINDS])
  const used = Object.values(paths).flatMap(methods => Object.values(methods).flatMap(({ tags }) => tags))
  expect(description.tags.map(({ name }) => name).sort()).toEqual([...new Set(used)].sort())
  expect(description.tags.filter(({ description }) => description === '')).toEqual([])
  const { parameters = [] } = paths['/api/office/bookings']?.get ?? {}
  const typeOf = (name: string) => parameters.find(parameter => parameter.name === name)?.schema.type
  expect([typeOf('limit'), typeOf('changedSince')]).toEqual(['integer', 'string'])
})

test('the documentation page begins with a first call', () => {
  const { html } = renderApiDocs(description, 'Portal')
  expect(html.indexOf('First call in five minutes')).toBeLessThan(html.indexOf('Authentication'))
  expect(html).toContain('<code>booking.full</code>')
})

test('each action is described with its right and scope, in the document and on the page with an index', () => {
  const acts = paths['/api/office/acts']?.post
  const schema = acts?.requestBody?.content['application/json']?.schema
  const described = (schema?.oneOf ?? schema?.anyOf ?? []).map(({ title, description }) => [title, description])
  expect(described.map(([title]) => title)).toEqual(Object.keys(ACTS))
  const descriptions = Object.fromEntries(described)
  expect(descriptions['confirm-course']).toMatch(/Right `programme`; API clients: scope `programme`\.$/)
  expect(descriptions['settle-courses']).toMatch(/Right `billing`; not for API clients\.$/)
  expect(Object.keys(acts?.responses ?? {})).toContain('409')
  expect(Object.keys(acts?.responses ?? {})).not.toContain('404')
  const { html } = renderApiDocs(description, 'Portal')
  for (const kind of Object.keys(ACTS)) {
    expect(html).toContain(`<section id="act-${kind}">`)
    expect(html).toContain(`<li><a href="#act-${kind}">${kind}</a>: `)
  }
  // The fields common to all actions are described once.
  expect(html.split('Idempotency key').length).toBe(2)
  expect(html.length).toBeLessThan(650_000)
})

test('the documentation page states what each scope permits', () => {
  const { html } = renderApiDocs(description, 'Portal')
  for (const scope of SCOPES) expect(html).toContain(`<li><code>${scope}</code>: `)
  const of = (scope: string) => html.slice(html.indexOf(`<li><code>${scope}</code>: `)).split('</li>')[0]
  expect(of('lists')).toContain('#listOfficeBookings')
  expect(of('bookings')).toContain('#act-book"')
  expect(of('bookings')).not.toContain('#act-confirm-course"')
  expect(of('people')).toContain('/api/scim/v2/Users')
  expect(html).toMatch(
    /Service tokens cannot perform .*#act-remove">remove<\/a> of <code>content<\/code>, <code>album<\/code>/,
  )
})

test('the page size parameter has a minimum and maximum', () => {
  const limit = paths['/api/office/bookings']?.get?.parameters.find(({ name }) => name === 'limit')
  expect(limit?.schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 500 })
})

test('the test vector of webhooks is signed as Standard Webhooks specifies', () => {
  const { html } = renderApiDocs(description, 'Portal')
  const [, secret = '', id, timestamp, body, signature] =
    /secret <code>whsec_(.+?)<\/code>, webhook-id <code>(.+?)<\/code>, webhook-timestamp <code>(.+?)<\/code>, body <code>(.+?)<\/code>, webhook-signature <code>(.+?)<\/code>/.exec(
      html,
    ) ?? []
  const expected = createHmac('sha256', Buffer.from(secret, 'base64')).update(`${id}.${timestamp}.${body}`)
  expect(signature).toBe(`v1,${expected.digest('base64')}`)
})

/** Paths of fields that a schema does not describe, as a linter of OpenAPI documents looks for them. */
function unknownFields(schema: JsonSchema, value: unknown, at: string): string[] {
  const { $ref, properties = {}, items, anyOf, oneOf, additionalProperties } = schema
  if ($ref) return unknownFields(description.components.schemas[nameOfReference($ref) ?? ''] ?? {}, value, at)
  const options = anyOf ?? oneOf
  if (options) {
    const found = options.map(option => unknownFields(option, value, at))
    return found.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  if (Array.isArray(value)) return value.flatMap(one => unknownFields(items ?? {}, one, `${at}[]`))
  if (typeof value !== 'object' || value === null || additionalProperties) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const property = properties[name]
    return property ? unknownFields(property, inner, `${at}.${name}`) : [`${at}.${name}`]
  })
}

test('examples have no field that their schema lacks', () => {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  const found = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap(body =>
      Object.values(body?.content ?? {}).flatMap(({ schema, example, examples = {} }) => [
        ...unknownFields(schema, example, operationId),
        ...Object.values(examples).flatMap(({ value }) => unknownFields(schema, value, operationId)),
      ]),
    ),
  )
  expect(found).toEqual([])
})

test('the documentation is complete without the example of an act, as while one is developed', () => {
  const { book: _book, ...acts } = EXAMPLES.performAct?.acts ?? {}
  onTestFinished(() => void Object.assign(EXAMPLES, { performAct }))
  const { performAct } = EXAMPLES
  Object.assign(EXAMPLES, { performAct: { ...performAct, acts } })
  expect(renderApiDocs(createOpenApiDocument('https://sport.example.com'), 'Portal').html).toContain('id="act-book"')
})

test('each list of courses has one form in the document', () => {
  for (const path of ['/api/course', '/api/course/session']) {
    const call = paths[path]?.get
    expect(call?.responses['200']?.content?.['application/json']?.schema).toMatchObject({ type: 'array' })
    expect(call?.parameters.map(({ name }) => name)).not.toContain('view')
  }
  expect(description.components.schemas).not.toHaveProperty('courseIndex')
})

/** All distinct patterns of the document. */
function listPatterns(): string[] {
  const found = new Set<string>()
  JSON.stringify(description, (key, value) => {
    if (key === 'pattern' && typeof value === 'string') found.add(value)
    return value
  })
  return [...found]
}

test('patterns mean the same with and without the flag u', () => {
  const patterns = listPatterns()
  expect(patterns.length).toBeGreaterThan(10)
  // Every character of the basic plane, and one beyond it, alone and between letters of class names.
  const characters = [...Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)), '\ufeff', '\u{1f600}']
  for (const pattern of patterns) {
    expect(pattern, 'classes by name').not.toMatch(/\\p\{/i)
    // Some generators of clients write characters instead of their numbers, and no line end fits into a literal.
    expect(pattern, 'line ends').not.toMatch(/\\u(?:000[ad]|202[89])/i)
    // Some generators of clients escape slashes again, which ends the literal.
    expect(pattern, 'escaped slashes').not.toContain('\\/')
    const [plain, unicode] = [new RegExp(pattern), new RegExp(pattern, 'u')]
    const differing = ['', '/', 'p', 'Cc'].flatMap(before =>
      characters.filter(character => plain.test(before + character) !== unicode.test(before + character)),
    )
    expect(differing, pattern).toEqual([])
  }
})
