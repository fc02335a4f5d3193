/** Request headers that select the representation of a prebuilt response. */
export type Preconditions = { acceptEncoding: string | null | undefined; ifNoneMatch: string | null | undefined }

/** Immutable response with headers and bytes shared by all requests. */
export type PrebuiltResponse = {
  status: 200 | 304 | 404
  headers: Readonly<Record<string, string>>
  bytes: Uint8Array<ArrayBuffer> | null
}

export const preconditionsOf = (request: Request): Preconditions => ({
  acceptEncoding: request.headers.get('Accept-Encoding'),
  ifNoneMatch: request.headers.get('If-None-Match'),
})

/** Converts to a web `Response`, for the app and for tests. */
export const toResponse = ({ status, headers, bytes }: PrebuiltResponse): Response =>
  new Response(bytes, { status, headers: { ...headers } })
