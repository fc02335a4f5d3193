import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { HttpProblem } from './problems.ts'

/** Default size limit in bytes, for endpoints that do not define one. */
export const MAX_BODY_BYTES = 100 * 1024
/** Minimum average rate in bytes per second of a body that takes longer than `PATIENCE_MS`. */
export const MIN_BYTES_PER_S = 4 * 1024
const PATIENCE_MS = 30_000
/** Limits for discarding the rest of an oversized body: its size in bytes and the pause between two chunks in ms. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024
const MAX_PAUSE_MS = 500
/**
 * Global token bucket for discarded bytes: capacity and refill per second. Discarded data occupies memory until garbage
 * collection.
 */
const budget = { bytes: MAX_DISCARDED_BYTES, perSecond: MAX_DISCARDED_BYTES / 4, filledAt: performance.now() }

/**
 * Reads a JSON body. The limit applies to the bytes actually received, because Content-Length may be wrong. See
 * docs/decisions/0012.
 * @throws HttpProblem 415, 413 or 400
 */
export async function readJsonBody(
  c: Context,
  maxBytes = MAX_BODY_BYTES,
  types: readonly string[] = ['application/json'],
): Promise<unknown> {
  if (!isPlainJson(c.req.raw.headers, types)) throw new HttpProblem(415, 'http.wrongContentType')
  const bytes = await readBytes(c, maxBytes)
  return parseJson(bytes)
}

/** Reads a form without files. @throws HttpProblem 415, 413 */
export async function readFormBody(c: Context, maxBytes: number): Promise<URLSearchParams> {
  const type = c.req.header('Content-Type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) throw new HttpProblem(415, 'http.wrongFieldsType')
  return new URLSearchParams((await readBytes(c, maxBytes)).toString('utf8'))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** @throws HttpProblem 400 */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes))
  } catch {
    throw new HttpProblem(400, 'http.invalidJson')
  }
}

export type UploadedFile = { name: string; content: Buffer; fields: Record<string, string> }

/**
 * Reads a multipart form with a file in field `file`. Until it is complete, it is stored in a file without a name in
 * `folder` rather than in memory.
 * @throws HttpProblem 415, 413, 408 or 400
 */
export async function readFileBody(c: Context, maxBytes: number, folder: string): Promise<UploadedFile> {
  const type = c.req.header('Content-Type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new HttpProblem(415, 'http.wrongFormType')
  const path = join(folder, `.upload-${randomUUID()}`)
  const stored = await open(path, 'wx+', 0o600)
  await rm(path)
  try {
    await receive(c, maxBytes, part => stored.write(part))
    const bytes = Buffer.alloc((await stored.stat()).size)
    await stored.read(bytes, 0, bytes.byteLength, 0)
    // An invalid form is treated as a form without a file.
    const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData().catch(() => null)
    const file = form?.get('file')
    if (!(file instanceof File)) throw new HttpProblem(400, 'http.noFile')
    const fields = [...(form ?? [])].filter((field): field is [string, string] => typeof field[1] === 'string')
    return { name: file.name, content: Buffer.from(await file.arrayBuffer()), fields: Object.fromEntries(fields) }
  } finally {
    await stored.close()
  }
}

type NodeStreams = { incoming?: Readable; outgoing?: ServerResponse }

// The Node.js stream is read directly, because a web stream for each of 10,000 concurrent requests would take time and
// memory.
function readerFor(c: Context): Reader | undefined {
  const { incoming }: NodeStreams = c.env ?? {}
  return incoming ? readerOf(incoming) : c.req.raw.body?.getReader()
}

/** Size of the body in bytes according to the headers; null for a chunked body. */
const announcedBytes = (c: Context) =>
  c.req.header('Transfer-Encoding') === undefined ? Number(c.req.header('Content-Length') ?? 0) : null
/** Whether the client waits for a response before it sends the body. */
const waitsForContinue = (c: Context) => /^100-continue$/i.test(c.req.header('Expect') ?? '')

/**
 * Decides from the headers whether a body is received. Otherwise the client can read the response, whether it waits
 * before it sends the body or not.
 * @param admit receives the announced size, or the largest allowed one if there is none
 * @throws HttpProblem 413, and what `admit` throws
 */
export async function admitBody<Result>(
  c: Context,
  maxBytes: number,
  admit: (bytes: number) => Result | Promise<Result>,
): Promise<Result> {
  const bytes = announcedBytes(c) ?? maxBytes
  try {
    if (bytes > maxBytes) throw new HttpProblem(413, 'http.tooLarge')
    return await admit(bytes)
  } catch (error) {
    await discardBody(c)
    throw error
  }
}

/** Discards a body that is not received, unless the client waits before it sends it. */
export async function discardBody(c: Context): Promise<void> {
  if (waitsForContinue(c)) return
  const reader = readerFor(c)
  await discard(c, reader)
  reader?.leave?.()
}

async function readBytes(c: Context, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  await receive(c, maxBytes, part => void parts.push(part))
  return Buffer.concat(parts)
}

async function receive(c: Context, maxBytes: number, store: (part: Uint8Array) => unknown): Promise<void> {
  const { outgoing }: NodeStreams = c.env ?? {}
  const isAnnouncedTooLarge = (announcedBytes(c) ?? 0) > maxBytes
  if (isAnnouncedTooLarge) return admitBody(c, maxBytes, () => {})
  if (waitsForContinue(c)) outgoing?.writeContinue()
  const reader = readerFor(c)
  const startedAt = performance.now()
  let size = 0
  try {
    for (;;) {
      const { value } = (await readPart(reader)) ?? {}
      if (!value) return
      size += value.byteLength
      if (size > maxBytes) {
        await discard(c, reader)
        throw new HttpProblem(413, 'http.tooLarge')
      }
      await store(value)
      const duration = performance.now() - startedAt
      if (duration > PATIENCE_MS && size < (duration / 1_000) * MIN_BYTES_PER_S)
        throw new HttpProblem(408, 'http.tooSlow')
    }
  } finally {
    reader?.leave?.()
  }
}

type Reader = { read(): Promise<{ value?: Uint8Array }>; leave?(): void }

function readerOf(incoming: Readable): Reader {
  let wake = () => {}
  const onNews = () => wake()
  const events = ['readable', 'end', 'close', 'error']
  for (const event of events) incoming.on(event, onNews)
  return {
    async read() {
      for (;;) {
        const value: Uint8Array | null = incoming.read()
        if (value) return { value }
        if (incoming.readableEnded) return {}
        if (incoming.destroyed) throw new Error('the client aborted the request')
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
    },
    leave() {
      for (const event of events) incoming.off(event, onNews)
    },
  }
}

/** Reads the next chunk of a body. An aborted request fails as invalid JSON rather than as a server error. */
const readPart = (reader: Reader | undefined) =>
  reader?.read().catch(() => {
    throw new HttpProblem(400, 'http.invalidJson')
  })

/** Whether the body is uncompressed JSON in UTF-8. */
function isPlainJson(headers: Headers, types: readonly string[]): boolean {
  const [type, ...parameters] = (headers.get('Content-Type') ?? '').toLowerCase().split(/\s*;\s*/)
  const charset = parameters.find(parameter => parameter.startsWith('charset='))?.slice('charset='.length)
  return (
    types.includes(type?.trim() ?? '') &&
    /^"?utf-?8"?\s*$/.test(charset ?? 'utf-8') &&
    (headers.get('Content-Encoding') ?? 'identity').toLowerCase() === 'identity'
  )
}

/**
 * Takes bytes from the global token bucket for discarded request data.
 * @returns whether enough is left to discard more
 */
function spend(bytes: number): boolean {
  const now = performance.now()
  const refilled = budget.bytes + ((now - budget.filledAt) / 1_000) * budget.perSecond
  budget.filledAt = now
  budget.bytes = Math.max(0, Math.min(MAX_DISCARDED_BYTES, refilled) - bytes)
  return budget.bytes > MAX_BODY_BYTES
}

/**
 * Discards the rest of a body. Most clients read the response only after they have sent everything and would report a
 * network error if the connection were closed early. Beyond the budget it is closed after the response.
 */
async function discard(c: Context, reader: Reader | undefined): Promise<void> {
  let size = 0
  while (size < MAX_DISCARDED_BYTES && spend(0)) {
    const part = await Promise.race([readPart(reader), sleep(MAX_PAUSE_MS)])
    if (!part) break
    if (!part.value) return
    size += part.value.byteLength
    spend(part.value.byteLength)
  }
  // Otherwise the HTTP server would read what arrives in the next 500 ms, without a limit.
  const { incoming, outgoing }: NodeStreams = c.env ?? {}
  outgoing?.once('finish', () => incoming?.destroy())
}
