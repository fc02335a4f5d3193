export type ErrorFacts = {
  message: string
  /** code of Node.js, PostgreSQL or a mail server, as in 'ENOENT' or '57P03'; '' if there is none */
  code: string
  /** exit code or signal of a failed program */
  stderr: string
  /** SMTP command that failed */
  command: string
  /** SMTP response code, as in 550 */
  responseCode: number | undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Extracts loggable facts from any thrown value. */
export function factsOf(error: unknown): ErrorFacts {
  const { message, code, stderr, command, responseCode }: Record<string, unknown> = Object(error)
  return {
    message: textOf(message) || String(error),
    code: textOf(code),
    stderr: textOf(stderr),
    command: textOf(command),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  }
}
