import { MessageChannel, type MessagePort, parentPort, type Worker } from 'node:worker_threads'

/** Who has a job gets its result, or the fault, on a port of the job's own. */
type Order<Job> = { job: Job; port: MessagePort }
type Answer<Result> = { result: Result } | { fault: unknown }

/**
 * Dear work on a thread of its own, which keeps no process alive. It is started with the first job and kept, as what it
 * loads takes longer than most jobs; once it has ended, the next job starts another.
 * @returns has a job done; fails with the job, or when the thread ends before it is done
 */
export function createThread<Job, Result>(start: () => Worker): (job: Job) => Promise<Result> {
  let thread: Worker | null = null
  const startThread = () => {
    const started = start()
    started.unref()
    const forget = () => {
      if (thread === started) thread = null
    }
    started.on('error', forget)
    started.on('exit', forget)
    return started
  }
  return job => {
    thread ??= startThread()
    const { port1: own, port2: port } = new MessageChannel()
    thread.postMessage({ job, port }, [port])
    return new Promise((resolve, reject) => {
      own.once('message', (answer: Answer<Result>) => {
        if ('result' in answer) resolve(answer.result)
        else reject(answer.fault)
        own.close()
      })
      own.once('close', () => reject(new Error('the thread ended before its job was done')))
    })
  }
}

/** Said on such a thread: what it does with a job. Elsewhere it does nothing. */
export function doJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  parentPort?.on('message', async ({ job, port }: Order<Job>) => {
    const answer: Answer<Result> = await Promise.resolve(job)
      .then(work)
      .then(
        result => ({ result }),
        fault => ({ fault }),
      )
    port.postMessage(answer)
    port.close()
  })
}
