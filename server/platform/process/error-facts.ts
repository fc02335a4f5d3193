export type ErrorFacts = {
  message: string
  /** error code of Node.js, PostgreSQL or a mail server, such as 'ENOENT' or '57P03'; '' if there is none */
  code: string
  /** error output of a failed program, including its exit code or signal */
  stderr: string
  /** SMTP command that failed */
  command: string
  /** SMTP response code, such as 550 */
  responseCode: number | undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Extracts the message, the error codes and the error output from any thrown value. */
export function errorFactsOf(error: unknown): ErrorFacts {
  const { message, code, stderr, command, responseCode }: Record<string, unknown> = Object(error)
  return {
    message: textOf(message) || String(error),
    code: textOf(code),
    stderr: textOf(stderr),
    command: textOf(command),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  }
}

/** Error code, such as 'ENOENT' or a SQLSTATE; '' for anything but an error with a code. */
export const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''
