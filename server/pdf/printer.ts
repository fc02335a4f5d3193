import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { SheetContent } from './spreadsheet.ts'

/** In a footer these stand for the number of its page, and of all pages. No font has them. */
export const PAGE = '\uE001'
export const PAGES = '\uE002'

/** A document in pdfmake's terms, as data alone: it goes to another thread. */
export type PdfDocument = { info: { title: string }; footer: object; content: object[]; [more: string]: unknown }

export type PrintJob = { pdf: PdfDocument } | { sheets: readonly SheetContent[] }

/** Who asks for a document gets it, or the fault, on a port of the request's own. */
export type PrintRequest = { job: PrintJob; port: MessagePort }
export type PrintAnswer = { content: Uint8Array } | { fault: unknown }

let printer: Worker | null = null

/** Started with the first document and kept: loading the PDF library takes longer than most of them. */
function startPrinter(): Worker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url))
  worker.unref()
  const forget = () => {
    if (printer === worker) printer = null
  }
  worker.on('error', forget)
  worker.on('exit', forget)
  return worker
}

/** A PDF or workbook, made on a thread of its own: a long list takes 0.2 s and more. @throws Error when it cannot be made */
export function printDocument(job: PrintJob): Promise<Uint8Array> {
  printer ??= startPrinter()
  const { port1: own, port2: port } = new MessageChannel()
  printer.postMessage({ job, port }, [port])
  return new Promise((resolve, reject) => {
    own.once('message', (answer: PrintAnswer) => {
      if ('content' in answer) resolve(answer.content)
      else reject(answer.fault)
      own.close()
    })
    own.once('close', () => reject(new Error('the document was not printed')))
  })
}
