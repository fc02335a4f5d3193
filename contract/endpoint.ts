import type * as v from 'valibot'
import type { Right } from './rights.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/**
 * Authentication that an endpoint requires. `optional`: a valid session changes the response; `instructor`: teaches the
 * course; `office`: member of the department, see `rights`.
 */
export type Access = 'public' | 'optional' | 'session' | 'instructor' | 'office'

type Schema = v.GenericSchema
type Fields = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

/**
 * Response of an endpoint: a JSON value, a file of a media type (`or`: alternative by content negotiation), or none
 * (204).
 */
export type ResponseKind = Schema | { file: string; or?: string } | null

export type EndpointOptions = {
  /** also available to users who logged in with a mailed password and have not chosen a new one yet */
  isOpenBeforePassword?: true
  /**
   * for access `office`: the user needs one of these rights; if omitted, any right suffices. A function derives them
   * from the body before its fields are validated; null: the body names no existing act.
   */
  rights?: readonly Right[] | ((body: unknown) => readonly Right[] | null)
  /**
   * for access `office`: programs may call the endpoint with a service token of one of these scopes, regardless of
   * `rights`; rights derived from the body are required of programs, too
   */
  scopes?: readonly Scope[]
  /** response contains names of people: each access is logged, and the log is visible to them */
  namesPeople?: true
  params?: Fields
  query?: Fields
  body?: Schema
  /** maximum body size in bytes, if above the default */
  maxBytes?: number
  /** accepts multipart/form-data with one file in the field `file` instead of JSON */
  takesFile?: true
  /** for `takesFile`: additional fields of the form */
  form?: Fields
  /** needs more than 50 ms of CPU time (PDF, Excel, zip): rate-limited per person and per service token */
  isCostly?: true
  /** responds with a redirect: the handler returns the URL */
  redirects?: true
  response: ResponseKind
}

export type Endpoint<A extends Access = Access, O extends EndpointOptions = EndpointOptions> = O & {
  access: A
  method: Method
  path: string
}

/**
 * Declares one endpoint of the REST API. Client, server routes, OpenAPI document and generic tests are derived from it;
 * its description is in `call-words.ts`, by its name.
 * @param path below the origin, with parameters as in `/api/course/:id`
 */
// @__NO_SIDE_EFFECTS__ (lets bundlers drop the schemas of unused endpoints)
export function endpoint<const A extends Access, const O extends EndpointOptions>(
  access: A,
  method: Method,
  path: string,
  options: O,
): Endpoint<A, O> {
  return { ...options, access, method, path }
}

type Parsed<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined
type Sent<S> = S extends v.GenericSchema ? v.InferInput<S> : undefined

export type ParamsOf<E extends Endpoint> = Parsed<E['params']>
export type QueryOf<E extends Endpoint> = Parsed<E['query']>
/** Type of the form fields sent with an uploaded file. */
export type FormOf<E extends Endpoint> = Parsed<E['form']>
export type BodyOf<E extends Endpoint> = Parsed<E['body']>
/** Request body type: fields with a default are optional. */
export type SentBodyOf<E extends Endpoint> = Sent<E['body']>
export type ResponseOf<E extends Endpoint> = Parsed<E['response']>
/** Item type of an endpoint that returns a list. */
export type ItemOf<E extends Endpoint> = ResponseOf<E> extends { items: (infer Item)[] } ? Item : never
