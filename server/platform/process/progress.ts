/** Output stream, which tests replace. */
export type Sink = { isTTY?: boolean; write(text: string): unknown }

export type ReportProgress = (text: string) => void

type Timings = {
  /** time in ms without output at the beginning, where the output is no terminal */
  patienceMs?: number
  /** minimum time in ms between two lines of a step, where the output is no terminal */
  everyMs?: number
}

/**
 * Runs work that reports its progress, such as `copying tables 3 of 84`. A terminal shows one line, with the seconds
 * once there are two. Other outputs get lines only from half a minute on, since cron mails what a command prints.
 */
export async function withProgress<Result>(
  work: (report: ReportProgress) => Promise<Result>,
  stream: Sink = process.stderr,
  { patienceMs = 30_000, everyMs = 30_000 }: Timings = {},
): Promise<Result> {
  const startedAt = performance.now()
  let [text, shown, shownAt] = ['', '', -Infinity]
  const stepOf = (line: string) => line.replace(/ \d+ of \d+$/, '')
  const show = () => {
    const now = performance.now()
    const seconds = Math.floor((now - startedAt) / 1000)
    const isNewStep = stepOf(text) !== stepOf(shown)
    if (text === '' || (!stream.isTTY && now - startedAt < patienceMs)) return
    if (!isNewStep && now - shownAt < (stream.isTTY ? 100 : everyMs)) return
    stream.write(stream.isTTY ? `\r\u001b[2K${text}${seconds >= 2 ? ` (${seconds} s)` : ''}` : `${text}\n`)
    shown = text
    shownAt = now
  }
  const ticking = setInterval(show, 1_000)
  try {
    return await work(line => {
      text = line
      show()
    })
  } finally {
    clearInterval(ticking)
    if (stream.isTTY && shown !== '') stream.write('\r\u001b[2K')
  }
}
