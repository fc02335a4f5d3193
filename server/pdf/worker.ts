import { type MessagePort, parentPort } from 'node:worker_threads'
import { renderParticipantList } from '#server/features/attendance/participant-list.ts'
import { renderLetter } from '#server/features/office/letter.ts'
import type { PrintJob } from './printer.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

/** Who asks for a document gets it, or the fault, on a port of the request's own. */
export type PrintRequest = { job: PrintJob; port: MessagePort }
export type PrintAnswer = { content: Uint8Array } | { fault: unknown }

function render(job: PrintJob): Promise<Uint8Array> {
  if (job.document === 'letter') return renderLetter(job.letter)
  return job.document === 'spreadsheet' ? renderSpreadsheet(job.sheets) : renderParticipantList(job.list, job.language)
}

parentPort?.on('message', async ({ job, port }: PrintRequest) => {
  const answer: PrintAnswer = await render(job).then(
    content => ({ content }),
    fault => ({ fault }),
  )
  port.postMessage(answer)
  port.close()
})
