import { MessageChannel, type MessagePort, parentPort, type Worker } from 'node:worker_threads'

/** Job for the worker thread, with its own message port for the result or error. */
type Order<Job> = { job: Job; port: MessagePort }
/**
 * Result of a job, or its error. `details`: fields of a system error (code, syscall), which structured cloning drops.
 */
type Answer<Result> = { result: Result } | { fault: unknown; details: object }

/** The worker thread ended before the job was done, because it exceeded its time or memory limit or exited. */
export class JobAborted extends Error {
  constructor(reason: string) {
    super(`the thread ended before its job was done: ${reason}`)
    this.name = 'JobAborted'
  }
}

/** A thread without jobs for that long ends: it takes 10 to 30 MB. */
const IDLE_MS = 15_000

/**
 * Creates a client that runs expensive jobs in a worker thread, which does not keep the process alive. The thread is
 * started with the first job and then reused, because loading its modules takes longer than most jobs. It ends when it
 * has nothing to do for a while; the next job starts a new one.
 * @param start creates the worker; its `resourceLimits` should limit the memory
 * @param timeoutMs terminates the thread and thereby all of its jobs, so callers that set a timeout must run one job at
 * a time
 * @returns function that runs a job; rejects with the job's error or JobAborted
 */
export function createWorkerThreadRunner<Job, Result>(
  start: () => Worker,
  { timeoutMs, idleMs = IDLE_MS }: { timeoutMs?: number; idleMs?: number } = {},
): (job: Job) => Promise<Result> {
  let thread: Worker | null = null
  let jobs = 0
  let rest: NodeJS.Timeout | undefined
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
  const endThread = () => {
    const idle = thread
    thread = null
    void idle?.terminate()
  }
  return job => {
    thread ??= startThread()
    const used = thread
    jobs += 1
    clearTimeout(rest)
    const { port1: own, port2: port } = new MessageChannel()
    used.postMessage({ job, port }, [port])
    return new Promise((resolve, reject) => {
      const timeout = timeoutMs && setTimeout(abort, timeoutMs)
      function abort() {
        if (thread === used) thread = null
        reject(new JobAborted(`it took more than ${timeoutMs} ms`))
        void used.terminate()
      }
      own.once('message', (answer: Answer<Result>) => {
        if ('result' in answer) resolve(answer.result)
        else reject(Object.assign(answer.fault as object, answer.details))
        own.close()
      })
      own.once('close', () => {
        clearTimeout(timeout)
        jobs -= 1
        if (jobs === 0) rest = setTimeout(endThread, idleMs).unref()
        reject(new JobAborted('it exited, or exceeded its memory limit'))
      })
    })
  }
}

const detailsOf = (fault: unknown): object =>
  fault instanceof Error && 'code' in fault ? { code: fault.code, syscall: Reflect.get(fault, 'syscall') } : {}

/** Registers the job handler in a worker thread. Does nothing in the main thread. */
export function handleJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  parentPort?.on('message', async ({ job, port }: Order<Job>) => {
    const answer: Answer<Result> = await Promise.resolve(job)
      .then(work)
      .then(
        result => ({ result }),
        fault => ({ fault, details: detailsOf(fault) }),
      )
    port.postMessage(answer)
    port.close()
  })
}
