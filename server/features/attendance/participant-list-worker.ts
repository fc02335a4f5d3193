import { type MessagePort, parentPort } from 'node:worker_threads'
import type { Language } from '#contract/values.ts'
import { type ParticipantList, renderParticipantList } from './participant-list.ts'

/** Who asks for a list gets it, or the fault, on a port of the request's own. */
export type PrintRequest = { list: ParticipantList; language: Language; port: MessagePort }
export type PrintAnswer = { content: Uint8Array } | { fault: unknown }

parentPort?.on('message', async ({ list, language, port }: PrintRequest) => {
  const answer: PrintAnswer = await renderParticipantList(list, language).then(
    content => ({ content }),
    fault => ({ fault }),
  )
  port.postMessage(answer)
  port.close()
})
