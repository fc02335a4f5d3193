import { ACT_SCOPES, type ActKind, scopesForAct } from '#contract/acts/acts.ts'
import { REMOVABLE_OBJECT_KINDS } from '#contract/acts/programme.ts'
import { SCOPE_DESCRIPTIONS } from '#contract/descriptions/endpoint-descriptions.ts'
import { keysOf } from '#contract/records.ts'
import { MAX_ID, RIGHTS_OF_SCOPE, SCOPES, type Scope } from '#contract/values.ts'
import { escapeHtml } from '#contract/words.ts'
import { listFailureCodes } from '#server/platform/texts/failure-codes.ts'
import type { Content, JsonSchema, OpenApiDocument, Operation } from './openapi-model.ts'
import { WEBHOOK_DELIVERY_RULES } from './webhooks-model.ts'

const STYLE = `:root{color-scheme:light dark}body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}h1{font-size:1.8rem}h2{margin-top:3rem;border-bottom:.1rem solid}h3{margin:2.5rem 0 .3rem;font-size:1.1rem;overflow-wrap:anywhere}h4{margin:1rem 0 .2rem;font-size:1rem}p{margin:.3rem 0}pre{overflow-x:auto}code{font:.9rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere}ul{margin:.2rem 0;padding-left:1.2rem}li{margin:.15rem 0}nav ul{columns:16rem;list-style:none;padding:0}a{color:LinkText}:target{outline:.15rem solid;outline-offset:.3rem}`

/** Escapes the content of an element, in which quotes need no escaping. */
const escapeText = (text: string) => escapeHtml(text).replaceAll('&quot;', '"').replaceAll('&#39;', "'")
/** Escapes plain text and renders backticks as code. */
const words = (text = '') => escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const code = (text: string) => `<code>${escapeText(text)}</code>`
const nameOfReference = (reference: string) => reference.split('/').at(-1) ?? ''
const linkTo = (id: string, text = id) => `<a href="#${escapeHtml(id)}">${escapeHtml(text)}</a>`

/** Describes a schema in a few words, without its properties. */
function shapeOf(schema: JsonSchema): string {
  if (schema.$ref) return linkTo(`shape-${nameOfReference(schema.$ref)}`, nameOfReference(schema.$ref))
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map(value => code(JSON.stringify(value))).join(' ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map(shapeOf))].join(' or ')
  if (schema.type === 'array') return `list of ${shapeOf(schema.items ?? {})}`
  const limits = [
    schema.minLength === undefined ? '' : `at least ${schema.minLength} characters`,
    schema.maxLength === undefined ? '' : `at most ${schema.maxLength} characters`,
    schema.minimum === undefined ? '' : `from ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum === MAX_ID ? '' : `to ${schema.maximum}`,
  ].filter(Boolean)
  return escapeHtml([String(schema.type ?? 'any value'), limits.join(', ')].filter(Boolean).join(', '))
}

/** Renders the properties of a schema, with nested ones below their parent. */
function fieldsOf(schema: JsonSchema): string {
  if (schema.$ref) return ''
  const options = schema.anyOf ?? schema.oneOf
  if (options) return options.map(fieldsOf).join('')
  if (schema.items) return fieldsOf(schema.items)
  if (!schema.properties) return ''
  const rows = Object.entries(schema.properties).map(([name, property]) => {
    const mayMiss = schema.required?.includes(name) ? '' : ', optional'
    const means = property.description ? `: ${words(property.description)}` : ''
    return `<li>${code(name)} (${shapeOf(property)}${mayMiss})${means}${fieldsOf(property)}</li>`
  })
  return `<ul>${rows.join('')}</ul>`
}

const part = (title: string, schema: JsonSchema) =>
  `<h4>${title}</h4><p>${schema.properties ? '' : shapeOf(schema)}</p>${fieldsOf(schema)}`

const example = (title: string, value: unknown) =>
  value === undefined
    ? ''
    : `<details><summary>${escapeText(title)}</summary><pre><code>${escapeText(JSON.stringify(value, null, 1))}</code></pre></details>`
const examplesOf = ({ example: one, examples = {} }: Omit<Content[string], 'schema'>): string =>
  [
    example('Example', one),
    ...Object.entries(examples).map(([name, { value }]) => example(`Example: ${name}`, value)),
  ].join('')

/** Prose of several paragraphs. */
const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map(part => `<p>${words(part)}</p>`)
    .join('')

const anchorOfAct = (kind: string) => `act-${kind}`
const linksToActs = (kinds: string[]) => kinds.map(kind => linkTo(anchorOfAct(kind), kind)).join(', ')

/**
 * Renders the office actions: an index, the fields that all actions have in common, then each action with its own
 * fields.
 */
function actsOf({ schema, examples = {} }: Content[string]): string {
  const acts = schema.anyOf ?? schema.oneOf ?? []
  const [first, ...others] = acts.map(({ properties = {} }) => properties)
  const shared = Object.entries(first ?? {})
    .filter(([name]) => others.every(properties => name in properties))
    .map(([name, { const: _, ...property }]) => [name, property] as const)
  const isOwn = (name: string) => !shared.some(([other]) => other === name)
  const index = acts.map(({ title, description }) => {
    return `<li>${linkTo(anchorOfAct(String(title)), String(title))}: ${words(description)}</li>`
  })
  const sections = acts.map(act => {
    const kind = String(act.title)
    const own = Object.entries(act.properties ?? {}).filter(([name]) => isOwn(name))
    return `<section id="${anchorOfAct(kind)}"><h4>${code(kind)} ${linkTo(anchorOfAct(kind), '#')}</h4><p>${words(act.description)}</p>${fieldsOf({ ...act, properties: Object.fromEntries(own) })}${example('Example', examples[kind]?.value)}</section>`
  })
  const common = fieldsOf({ ...acts[0], properties: Object.fromEntries(shared) })
  return `<h4>Actions</h4><ul>${index.join('')}</ul><h4>Fields of every action</h4>${common}${sections.join('')}`
}

/** Renders what each service token scope permits, based on the security requirements and the actions. */
function scopesOf(calls: { operation: Operation }[]): string {
  const acts = calls.flatMap(({ operation }) => {
    const { anyOf, oneOf } = operation.requestBody?.content['application/json']?.schema ?? {}
    return operation.operationId === 'performAct' ? (anyOf ?? oneOf ?? []).map(({ title }) => title as ActKind) : []
  })
  const opens = (scope: Scope) => ({
    calls: calls.filter(({ operation }) => operation.security.some(one => one.ServiceToken?.includes(scope))),
    acts: acts.filter(kind => scopesForAct(kind).includes(scope)),
  })
  const rows = SCOPES.map(scope => {
    const { calls: open, acts: performed } = opens(scope)
    const named = open.map(({ operation: { operationId } }) => linkTo(operationId)).join(', ')
    return `<li>${code(scope)}: ${words(SCOPE_DESCRIPTIONS[scope])}.${named && ` Calls: ${named}.`}${performed.length > 0 ? ` Actions: ${linksToActs(performed)}.` : ''}</li>`
  })
  const closed = acts.filter(kind => scopesForAct(kind).length === 0)
  const kept = keysOf(REMOVABLE_OBJECT_KINDS).filter(
    what => !ACT_SCOPES.some(scope => RIGHTS_OF_SCOPE[scope].includes(REMOVABLE_OBJECT_KINDS[what])),
  )
  return `<h2 id="scopes">Scopes of service tokens</h2><ul>${rows.join('')}</ul><p>Service tokens cannot perform ${linksToActs(closed)}, ${linkTo(anchorOfAct('remove'), 'remove')} of ${kept.map(code).join(', ')} (${code('insufficient_scope')} without a scope in ${code('WWW-Authenticate')}, or ${code('request.notByToken')}), or any action on a person who has rights in the office UI (${code('request.notByToken')}).</p>`
}

/** Responses that every call may return. */
const COMMON = [
  { status: '429', description: 'Too many requests' },
  { status: '500', description: 'Internal server error' },
  { status: '503', description: 'Database unavailable, or server overloaded' },
]
const COMMON_WORDS = `<p>Every call accepts the header ${code('Accept-Language')} for the language of ${code('message')} and of other human-readable texts: ${code('de')} (default) or ${code('en')}. Every call may return ${COMMON.map(({ status, description }) => `${status} (${description})`).join(', ')}.</p>`

function callOf(method: string, path: string, operation: Operation): string {
  const { operationId, parameters, requestBody, responses } = operation
  const own = parameters.filter(({ name }) => name !== 'Accept-Language')
  const rows = own.map(
    ({ name, in: where, required, description, schema }) =>
      `<li>${code(name)} (in ${where}, ${shapeOf(schema)}${required ? '' : ', optional'}): ${words(description)}</li>`,
  )
  const sent = Object.entries(requestBody?.content ?? {}).map(([type, content]) =>
    operationId === 'performAct'
      ? actsOf(content)
      : part(`Request body, ${type}`, content.schema) + examplesOf(content),
  )
  const answered = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Number(status) < 300
      ? Object.entries(content).map(
          ([type, { schema, ...given }]) => part(`Response ${status}, ${type}`, schema) + examplesOf(given),
        )
      : [],
  )
  const others = Object.entries(responses)
    .filter(([, { content }]) => !content)
    .concat(Object.entries(responses).filter(([status, { content }]) => content && Number(status) >= 300))
    .filter(
      ([status, { description }]) => !COMMON.some(one => one.status === status && one.description === description),
    )
    .map(([status, { description }]) => `<li>${status}: ${words(description)}</li>`)
  const title = (text: string, list: string[]) => (list.length > 0 ? `<h4>${text}</h4><ul>${list.join('')}</ul>` : '')
  return [
    `<section id="${operationId}"><h3>${code(`${method.toUpperCase()} ${path}`)} ${linkTo(operationId)}</h3>`,
    `<p>${words(operation.summary)}</p><p>Access: ${words(operation.description)}</p>`,
    `${title('Parameters', rows)}${operationId === 'performAct' ? '' : sent.join('')}${answered.join('')}`,
    `${title('Other responses', others)}${operationId === 'performAct' ? sent.join('') : ''}</section>`,
  ].join('')
}

/** Renders the events that the portal sends, and the headers that they share. */
function webhooksOf(webhooks: OpenApiDocument['webhooks']): string {
  const all = Object.entries(webhooks)
  const headers = (all[0]?.[1].post.parameters ?? []).map(
    ({ name, description }) => `<li>${code(name)}: ${words(description)}</li>`,
  )
  const events = all.map(([event, { post }]) => {
    const sent = Object.values(post.requestBody?.content ?? {}).map(({ schema }) => fieldsOf(schema))
    return `<section id="${post.operationId}"><h3>${code(event)}</h3><p>${words(post.summary)}</p>${sent.join('')}</section>`
  })
  return `<h2 id="webhooks">Webhooks</h2><p>An owner creates a webhook in the office UI, under Connections. Its secret, ${code('whsec_…')}, is shown once. Each event is sent as a POST request with a JSON body, signed according to <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, whose libraries verify the signature.</p><ul>${WEBHOOK_DELIVERY_RULES.map(rule => `<li>${words(rule)}</li>`).join('')}</ul><h4>Headers</h4><ul>${headers.join('')}</ul>${events.join('')}`
}

const shell = (commands: string) => `<pre><code>${escapeText(commands)}</code></pre>`

const READS = `READ=…
curl -H "Authorization: Bearer $READ" "https://PORTAL/api/office/bookings?limit=100"
curl -H "Authorization: Bearer $READ" "https://PORTAL/api/office/bookings?changedSince=CURSOR"`

const PREVIEW = `WRITE=…
curl -H "Authorization: Bearer $WRITE" -H "Content-Type: application/json" https://PORTAL/api/office/acts \\
  -d '{"actId": "'$(cat /proc/sys/kernel/random/uuid)'", "kind": "confirm-course", "courseId": 23, "preview": true}'`

const LOGIN = `curl -s -o /dev/null -c jar https://PORTAL/api/config/datetime
XSRF=$(awk '$6 == "XSRF-TOKEN" { print $7 }' jar)
curl -b jar -H "X-XSRF-TOKEN: $XSRF" -H "Content-Type: application/json" -X PUT https://PORTAL/api/session \\
  -d '{"userName": "owner@example.com", "password": "…", "keepSession": false}'
SESSION=…
READ=$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')
curl -H "SessionToken: $SESSION" -H "Content-Type: application/json" https://PORTAL/api/office/acts \\
  -d '{"actId": "'$(cat /proc/sys/kernel/random/uuid)'", "kind": "create-token", "name": "Payroll", "token": "'$READ'",
       "scopes": ["lists"], "expiresOn": "YYYY-MM-DD"}'`

const FIRST_CALL = [
  `<h2>First call in five minutes</h2><p>Courses are public:</p>${shell('curl https://PORTAL/api/course')}`,
  `<p>To read bookings, an owner creates a service token of the scope ${code('lists')} in the office UI, under Connections. The token is shown once.</p>${shell(READS)}`,
  `<p>${code('CURSOR')} is the ${code('cursor')} of the last page read; the call returns the bookings that have changed since. While ${code('next')} is not null, request the next page by the same call with ${code('after=NEXT')}. To synchronize later, store the ${code('cursor')} of the page whose ${code('next')} is null.</p>`,
  `<p>Another token, of the scope ${code('programme')}, permits actions on courses, here as a preview. Each ${linkTo('performAct', 'action')} lists its scope, and a token may have several scopes:</p>${shell(PREVIEW)}`,
  `<p>If the operator has set ${code('OFFICE_PASSKEY=off')}, as in the demo, an owner can also create the token through the API; otherwise the session requires a passkey, and therefore a browser. ${code('SESSION')} is the ${code('id')} that the login returns; the token is a random string that the caller generates:</p>${shell(LOGIN)}`,
  `<p>A call that is refused by a rule of the portal returns HTTP 200 with a ${code('status')} other than ${code('Ok')}. Compare ${code('status')} and ${code('code')}, never ${code('message')}: ${code('Failed')}, ${code('Reason')}, ${code('Changed')} and all responses with an HTTP status of 400 or higher have a ${code('code')}; other statuses, such as ${code('WrongPWorUser')}, are the reason themselves.</p>`,
].join('')

/** Renders the API documentation as a single page without scripts, searchable with the browser's own search. */
export function renderApiDocs(
  { info, paths, webhooks, tags, components }: OpenApiDocument,
  portal: string,
): { html: string; style: string } {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = [...Map.groupBy(calls, ({ operation }) => operation.tags[0] ?? '')]
  const list = groups.map(
    ([tag, own]) =>
      `<li><strong>${escapeHtml(tag)}</strong><ul>${own.map(({ operation }) => `<li>${linkTo(operation.operationId)}</li>`).join('')}</ul></li>`,
  )
  const sections = groups.map(
    ([tag, own]) =>
      `<h2>${escapeHtml(tag)}</h2><p>${words(tags.find(({ name }) => name === tag)?.description)}</p>${own.map(({ method, path, operation }) => callOf(method, path, operation)).join('')}`,
  )
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `<section id="shape-${name}"><h3>${code(name)}</h3>${fieldsOf(schema)}</section>`,
  )
  const keys = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => `<li>${code(name)}: ${words(description)}</li>`,
  )
  const listed = listFailureCodes().map(({ code: word, message }) => `<li>${code(word)}: ${escapeText(message)}</li>`)
  const codes = `<h2>Failure codes</h2><ul>${listed.join('')}</ul>`
  const title = `${escapeHtml(portal)}: API documentation`
  return {
    style: STYLE,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${paragraphs(info.description)}<p>Machine-readable: <a href="/api/openapi.json">OpenAPI 3.1</a></p>${FIRST_CALL}<h2>Authentication</h2><ul>${keys.join('')}</ul>${scopesOf(calls)}<nav aria-label="Calls"><h2>Calls</h2>${COMMON_WORDS}<ul>${list.join('')}<li>${linkTo('webhooks', 'Webhooks')}</li></ul></nav>${sections.join('')}${webhooksOf(webhooks)}${codes}<h2>Shared schemas</h2>${shapes.join('')}</main></body></html>`,
  }
}
