import type * as v from 'valibot'
import type { Endpoint, FormFieldsOf, ParsedBodyOf, RequestBodyOf, ResponseOf } from '#contract/endpoint.ts'
import type { Language } from '#contract/values.ts'

type Part<Name extends string, Value> = Value extends undefined ? { [K in Name]?: undefined } : { [K in Name]: Value }

/** URL parameters are strings, but callers may also pass numbers. */
type Input<S> = S extends v.GenericSchema
  ? {
      [K in keyof v.InferInput<S>]:
        | v.InferInput<S>[K]
        | (K extends keyof v.InferOutput<S> ? v.InferOutput<S>[K] : never)
    }
  : undefined
type ParamsInput<E extends Endpoint> = Input<E['params']>
type QueryInput<E extends Endpoint> = E['query'] extends v.GenericSchema ? Partial<Input<E['query']>> : undefined

export type CallOptions<E extends Endpoint> = Part<'params', ParamsInput<E>> &
  (QueryInput<E> extends undefined ? { query?: undefined } : { query?: QueryInput<E> }) &
  (ParsedBodyOf<E> extends undefined ? { body?: undefined } : { body: RequestBodyOf<E> }) &
  (E['takesFile'] extends object ? { file: File } : { file?: undefined }) &
  Part<'form', FormFieldsOf<E>> & {
    signal?: AbortSignal
    /** overrides the stored token: the outbox sends each change with the token of the user who recorded it */
    token?: string | null
    /**
     * entity tag of the response that the caller has; an unchanged response is thrown as ApiError 304. Replaced by the
     * tag of the new response
     */
    known?: { etag: string | null }
    /** language of the server's messages, because the service worker cannot read the user's setting */
    language?: Language | undefined
  }

export type CallResult<E extends Endpoint> = E['response'] extends { file: string } ? File : ResponseOf<E>
