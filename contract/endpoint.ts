import type * as v from 'valibot'
import type { Right, Scope } from './values.ts'

export type HttpMethod = 'GET' | 'PUT' | 'POST' | 'DELETE'

/**
 * Who can call an endpoint. `optional`: anyone, but the response depends on whether a session is valid; `instructor`:
 * the course's instructors; `office`: members of the department (see `rights`).
 */
export type EndpointAccess = 'public' | 'optional' | 'session' | 'instructor' | 'office'

type Schema = v.GenericSchema
type Fields = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

/**
 * Response of an endpoint: a JSON value, a file of a media type (`or` is the alternative for content negotiation), or
 * null for 204 without a body.
 */
export type ResponseKind = Schema | { file: string; or?: string } | null

export type EndpointOptions = {
  /** also available to users who logged in with a password sent by e-mail and have not yet chosen a new one */
  isOpenBeforePassword?: true
  /**
   * for access `office`: the user needs any one of these rights; if omitted, any right at all. A function derives the
   * rights from the body before its fields are validated, and returns null if the body names no existing action.
   */
  rights?: readonly Right[] | ((body: unknown) => readonly Right[] | null)
  /**
   * for access `office`: an API client may call the endpoint with a service token of any one of these scopes,
   * regardless of `rights`. Rights that are derived from the body are required of API clients as well.
   */
  scopes?: readonly Scope[]
  /** the response contains names of people; each access is recorded in a log that is visible to them */
  namesPeople?: true
  params?: Fields
  query?: Fields
  body?: Schema
  /** maximum body size in bytes, if above the default */
  maxBytes?: number
  /**
   * accepts multipart/form-data with one file in the field `file` instead of JSON; the number of uploads is limited per
   * person and checked before the body is received
   */
  takesFile?: { burst: number; perMinute: number }
  /** additional form fields if `takesFile` is set */
  form?: Fields
  /** needs more than 50 ms of CPU time (PDF, Excel, zip), so it is rate-limited per person and per service token */
  isCostly?: true
  /** a GET that changes data; HEAD, which must not (RFC 9110 §9.2.1), is answered without calling the handler */
  changesData?: true
  /** responds with a redirect to the URL that the handler returns */
  redirects?: true
  response: ResponseKind
}

export type Endpoint<A extends EndpointAccess = EndpointAccess, O extends EndpointOptions = EndpointOptions> = O & {
  access: A
  method: HttpMethod
  path: string
}

/**
 * Declares an endpoint of the REST API. The client, the server routes, the OpenAPI document and generic tests are
 * derived from it. Its description is in `endpoint-descriptions.ts`, under its name.
 * @param path path with parameters, as in `/api/course/:id`
 */
// @__NO_SIDE_EFFECTS__ (lets bundlers drop the schemas of unused endpoints)
export function endpoint<const A extends EndpointAccess, const O extends EndpointOptions>(
  access: A,
  method: HttpMethod,
  path: string,
  options: O,
): Endpoint<A, O> {
  return { ...options, access, method, path }
}

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined
type Sent<S> = S extends v.GenericSchema ? v.InferInput<S> : undefined

export type ParamsOf<E extends Endpoint> = Parsed<E['params']>
export type QueryOf<E extends Endpoint> = Parsed<E['query']>
/** Type of the form fields that are sent with an uploaded file. */
export type FormFieldsOf<E extends Endpoint> = Parsed<E['form']>
export type ParsedBodyOf<E extends Endpoint> = Parsed<E['body']>
/** Type of the request body as sent: fields with a default are optional. */
export type RequestBodyOf<E extends Endpoint> = Sent<E['body']>
export type ResponseOf<E extends Endpoint> = Parsed<E['response']>
/** Item type of an endpoint that returns a list. */
export type ItemOf<E extends Endpoint> = ResponseOf<E> extends { items: (infer Item)[] } ? Item : never
