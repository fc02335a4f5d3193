import { connect } from 'node:net'

/**
 * Load generator in a separate process, so that its CPU time is counted separately. Plain sockets, because Node's HTTP
 * client needs as much time per call as the portal.
 */
export type LoadPlan = {
  url: string
  /** one per person */
  tokens: string[]
  /** person n books course n modulo the number of courses */
  courseIds: number[]
  connections: number
}
export type LoadResult = {
  seconds: number
  /** response times in ms */
  times: number[]
  answers: { booked: number; waiting: number; refused: number; failed: number }
  /** CPU time of the load generator per response, in ms */
  clientMs: number
}

const HEAD_END = Buffer.from('\r\n\r\n')

async function bookAll({ url, tokens, courseIds, connections }: LoadPlan): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url)
  const answers = { booked: 0, waiting: 0, refused: 0, failed: 0 }
  const times: number[] = []
  const work = tokens.entries()
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const note = (status: string, body: string) => {
    times.push(performance.now() - startedAt)
    if (status !== '200') answers.failed += 1
    else if (body.includes('"bookingStatus":2')) answers.waiting += 1
    else if (body.includes('"Failed"')) answers.refused += 1
    else answers.booked += 1
  }
  const lane = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname).setNoDelay(true)
      let bytes: Buffer = Buffer.alloc(0)
      const ask = () => {
        const next = work.next()
        if (next.done) {
          socket.end()
          resolve()
          return
        }
        const [index, token] = next.value
        const body = JSON.stringify({ id: courseIds[index % courseIds.length] })
        socket.write(
          `PUT /api/course/coursebooking HTTP/1.1\r\nHost: ${host}\r\nSessionToken: ${token}\r\nContent-Type: application/json\r\nAccept-Encoding: br\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
      }
      const fail = (why: string, cause?: Error) =>
        reject(new Error(`${url} after ${times.length} answers: ${why}`, { cause }))
      socket.on('data', part => {
        bytes = bytes.length > 0 ? Buffer.concat([bytes, part]) : part
        const end = bytes.indexOf(HEAD_END)
        if (end < 0) return
        const head = bytes.toString('latin1', 0, end)
        const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
        if (!length) return fail(`an answer without its length: ${head}`)
        const from = end + HEAD_END.length
        const to = from + Number(length)
        if (bytes.length < to) return
        note(head.slice(9, 12), bytes.toString('latin1', from, to))
        bytes = bytes.subarray(to)
        ask()
      })
      socket.once('connect', ask)
      socket.on('error', error => fail(error.message, error))
      socket.once('close', () => fail('closed'))
    })
  await Promise.all(Array.from({ length: Math.min(connections, tokens.length) }, lane))
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(before)
  return { seconds, times, answers, clientMs: (user + system) / 1000 / times.length }
}

process.once('message', async (crowd: LoadPlan) => {
  const told = await bookAll(crowd)
  process.send?.(told, () => process.exit())
})
