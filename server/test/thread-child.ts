import { handleJobs } from '#server/platform/process/thread-jobs.ts'

export type ChildJob = { kind: 'count' | 'fail' | 'end' | 'loop' | 'allocate' }

let count = 0
const work: Record<ChildJob['kind'], () => number> = {
  count: () => ++count,
  fail: () => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  },
  end: () => process.exit(),
  loop: () => {
    for (;;) count += 1
  },
  allocate: () => {
    const filled: number[][] = []
    for (;;) filled.push(Array.from({ length: 1_000 }, () => count))
  },
}

handleJobs(({ kind }: ChildJob) => work[kind]())
