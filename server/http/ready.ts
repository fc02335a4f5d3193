/** What of a request decides how a ready answer is sent. */
export type Wanted = { acceptEncoding: string | null | undefined; ifNoneMatch: string | null | undefined }

/** An answer that is sent as it is, as often as asked for: headers and bytes are shared by everybody who gets it. */
export type ReadyAnswer = {
  status: 200 | 304 | 404
  headers: Readonly<Record<string, string>>
  bytes: Uint8Array<ArrayBuffer> | null
}

export const wantedOf = (request: Request): Wanted => ({
  acceptEncoding: request.headers.get('Accept-Encoding'),
  ifNoneMatch: request.headers.get('If-None-Match'),
})

/** For the app, and for tests of what answers by itself. */
export const responseOf = ({ status, headers, bytes }: ReadyAnswer): Response =>
  new Response(bytes, { status, headers: { ...headers } })
