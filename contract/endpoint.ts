import type * as v from 'valibot'
import type { Right } from './rights.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/**
 * `optional`: a valid session changes the answer; `instructor`:
 * who teaches the course; `office`: of the department, see `rights`.
 */
export type Access = 'public' | 'optional' | 'session' | 'instructor' | 'office'

type Schema = v.GenericSchema
type Fields = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

/** What an endpoint answers: a JSON value, a file of that media type (or, as it is asked for, the other one), or nothing (204). */
export type ResponseKind = Schema | { file: string; or?: string } | null

export type EndpointOptions = {
  /** may be called by who logged in with a mailed password and has not chosen one yet */
  isOpenBeforePassword?: true
  /**
   * of access `office`: any one of them is enough, any right at all where none is named. What a body asks for is judged before its
   * fields are: null where it asks for nothing that there is.
   */
  rights?: readonly Right[] | ((body: unknown) => readonly Right[] | null)
  /** of access `office`: a program may call it, too, with a service token of this scope */
  scope?: Scope
  /** shows people by name: each of them can see who looked */
  namesPeople?: true
  params?: Fields
  query?: Fields
  body?: Schema
  /** the largest body in bytes, where it may be larger than others */
  maxBytes?: number
  /** takes a form with one file, in its field `file`, in place of JSON */
  takesFile?: true
  /** takes more than 50 ms of processor time (PDF, Excel, zip): limited per person and per service token */
  isCostly?: true
  /** leads a browser on: answers with the address to go to */
  redirects?: true
  response: ResponseKind
}

export type Endpoint<A extends Access = Access, O extends EndpointOptions = EndpointOptions> = O & {
  access: A
  method: Method
  path: string
}

/**
 * One call of the REST interface: the client sends it, the server mounts it, OpenAPI and the generic tests are made from it.
 * What it does is said under its name in `call-words.ts`.
 * @param path below the origin, parameters as in `/api/course/:id`
 */
// @__NO_SIDE_EFFECTS__ (a program that uses no such call does without its schemas)
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
export type BodyOf<E extends Endpoint> = Parsed<E['body']>
/** What a caller has to send: fields with a default may be left out. */
export type SentBodyOf<E extends Endpoint> = Sent<E['body']>
export type ResponseOf<E extends Endpoint> = Parsed<E['response']>
/** One of a list. */
export type ItemOf<E extends Endpoint> = ResponseOf<E> extends { items: (infer Item)[] } ? Item : never
