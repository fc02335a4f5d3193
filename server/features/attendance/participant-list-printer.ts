import { MessageChannel, Worker } from 'node:worker_threads'
import type { Language } from '#contract/values.ts'
import type { ParticipantList } from './participant-list.ts'
import type { PrintAnswer } from './participant-list-worker.ts'

let printer: Worker | null = null

/** Started with the first list and kept: loading the PDF library takes longer than most lists. */
function startPrinter(): Worker {
  const worker = new Worker(new URL('./participant-list-worker.ts', import.meta.url))
  worker.unref()
  const forget = () => {
    if (printer === worker) printer = null
  }
  worker.on('error', forget)
  worker.on('exit', forget)
  return worker
}

/**
 * The participant list as PDF, made on a thread of its own: a long list takes 0.2 s, in which this one would answer nobody.
 * @throws Error when the list cannot be made
 */
export function printParticipantList(list: ParticipantList, language: Language): Promise<Uint8Array> {
  printer ??= startPrinter()
  const { port1: own, port2: port } = new MessageChannel()
  printer.postMessage({ list, language, port }, [port])
  return new Promise((resolve, reject) => {
    own.once('message', (answer: PrintAnswer) => {
      if ('content' in answer) resolve(answer.content)
      else reject(answer.fault)
      own.close()
    })
    own.once('close', () => reject(new Error('the participant list was not printed')))
  })
}
