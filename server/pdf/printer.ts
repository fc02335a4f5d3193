import { Worker } from 'node:worker_threads'
import { createThread } from '#server/throttle/thread.ts'
import type { SheetContent } from './spreadsheet.ts'

/** In a footer these stand for the number of its page, and of all pages. No font has them. */
export const PAGE = '\uE001'
export const PAGES = '\uE002'

/** A document in pdfmake's terms, as data alone: it goes to another thread. */
export type PdfDocument = { info: { title: string }; footer: object; content: object[]; [more: string]: unknown }

export type PrintJob = { pdf: PdfDocument } | { sheets: readonly SheetContent[] }

/** A PDF or workbook, made on a thread of its own: a long list takes 0.2 s and more. @throws Error when it cannot be made */
export const printDocument = createThread<PrintJob, Uint8Array>(
  () => new Worker(new URL('./worker.ts', import.meta.url)),
)
