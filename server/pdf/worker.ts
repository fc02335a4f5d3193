import { parentPort } from 'node:worker_threads'
import { renderPdf } from './document.ts'
import type { PrintAnswer, PrintJob, PrintRequest } from './printer.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

const render = (job: PrintJob): Promise<Uint8Array> =>
  'pdf' in job ? renderPdf(job.pdf) : renderSpreadsheet(job.sheets)

parentPort?.on('message', async ({ job, port }: PrintRequest) => {
  const answer: PrintAnswer = await render(job).then(
    content => ({ content }),
    fault => ({ fault }),
  )
  port.postMessage(answer)
  port.close()
})
