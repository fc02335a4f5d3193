import { parentPort } from 'node:worker_threads'
import { renderParticipantList } from '#server/features/attendance/participant-list.ts'
import { renderLetter } from '#server/features/office/letter.ts'
import type { PrintAnswer, PrintJob, PrintRequest } from './printer.ts'
import { renderSpreadsheet } from './spreadsheet.ts'

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
