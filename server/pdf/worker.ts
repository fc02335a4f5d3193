import { type MessagePort, parentPort } from 'node:worker_threads'
import { renderParticipantList } from '#server/features/attendance/participant-list.ts'
import { renderLetter } from '#server/features/office/letter.ts'
import type { PrintJob } from './printer.ts'

/** Who asks for a document gets it, or the fault, on a port of the request's own. */
export type PrintRequest = { job: PrintJob; port: MessagePort }
export type PrintAnswer = { content: Uint8Array } | { fault: unknown }

const render = (job: PrintJob): Promise<Uint8Array> =>
  job.document === 'letter' ? renderLetter(job.letter) : renderParticipantList(job.list, job.language)

parentPort?.on('message', async ({ job, port }: PrintRequest) => {
  const answer: PrintAnswer = await render(job).then(
    content => ({ content }),
    fault => ({ fault }),
  )
  port.postMessage(answer)
  port.close()
})
