/** Output stream, which tests replace. */
export type Sink = { isTTY?: boolean; write(text: string): unknown }

export type ReportProgress = (text: string) => void

type Options = {
  /** time in ms without output at the beginning, where the output is no terminal */
  patienceMs?: number
  /** minimum time in ms between two lines of a step, where the output is no terminal */
  everyMs?: number
  /** on a terminal, each step retains its line, with the seconds that it took */
  isKept?: boolean
}

/**
 * Runs work that reports its progress, such as `copying tables 3 of 84`. A terminal shows one line, with the seconds
 * once there are two. Other outputs get lines only from half a minute on, since cron mails what a command prints.
 */
export async function withProgress<Result>(
  work: (report: ReportProgress) => Promise<Result>,
  stream: Sink = process.stderr,
  { patienceMs = 30_000, everyMs = 30_000, isKept = false }: Options = {},
): Promise<Result> {
  let startedAt = performance.now()
  let [text, shown, shownAt] = ['', '', -Infinity]
  const stepOf = (line: string) => line.replace(/ \d+ of \d+$/, '')
  const show = () => {
    const now = performance.now()
    const isNewStep = stepOf(text) !== stepOf(shown)
    if (isKept && isNewStep) {
      startedAt = now
      if (stream.isTTY && shown !== '') stream.write('\n')
    }
    const seconds = Math.floor((now - startedAt) / 1000)
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
    if (stream.isTTY && shown !== '') stream.write(isKept ? '\n' : '\r\u001b[2K')
  }
}
