import { Worker } from 'node:worker_threads'
import type { Language } from '#contract/values.ts'
import { createWorkerThreadRunner } from '#server/platform/process/thread-jobs.ts'
import type { SheetContent } from './spreadsheet.ts'

/** Placeholders for the page number and the page count in a footer: private-use characters that no font contains. */
export const PAGE_NUMBER_PLACEHOLDER = '\uE001'
export const PAGE_COUNT_PLACEHOLDER = '\uE002'

/** Document definition for pdfmake. It contains only plain data, because it is sent to a worker thread. */
export type PdfDocument = {
  /** `creationDate` defaults to the current time; if it is set, the same document always results in the same bytes */
  info: { title: string; creationDate?: Date }
  language: Language
  footer: object
  content: object[]
  [more: string]: unknown
}

export type PrintJob = { pdf: PdfDocument } | { sheets: readonly SheetContent[] }

/**
 * Renders a PDF or workbook in a worker thread, because a long list takes 0.2 s or more. @throws Error if rendering
 * fails
 */
export const printDocument = createWorkerThreadRunner<PrintJob, Uint8Array>(
  () => new Worker(new URL('./worker.ts', import.meta.url)),
)
