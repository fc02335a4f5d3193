import { HttpProblem } from './problems.ts'

/** More than any request of the contract needs. */
export const MAX_BODY_BYTES = 100 * 1024

/**
 * Reads a JSON body, counting what really arrives: a length header may lie or be missing.
 * @throws HttpProblem 415, 413 or 400
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = (request.headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw new HttpProblem(415, 'http.wrongContentType')
  if (Number(request.headers.get('Content-Length') ?? 0) > MAX_BODY_BYTES) throw new HttpProblem(413, 'http.tooLarge')
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw new HttpProblem(413, 'http.tooLarge')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new HttpProblem(400, 'http.invalidJson')
  }
}
