import { doJobs } from '#server/throttle/thread.ts'

export type ChildJob = { kind: 'count' | 'fail' | 'end' }

let count = 0
const work: Record<ChildJob['kind'], () => number> = {
  count: () => ++count,
  fail: () => {
    throw new Error('no such file')
  },
  end: () => process.exit(),
}

doJobs(({ kind }: ChildJob) => work[kind]())
