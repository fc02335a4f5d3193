export type ErrorFacts = {
  message: string
  /** of Node, PostgreSQL or a mail server, as in 'ENOENT' or '57P03'; '' without one */
  code: string
  /** of a program that failed */
  stderr: string
  /** what the mail server was told when it failed */
  command: string
  /** of a mail server, as in 550 */
  responseCode: number | undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads what was thrown, whatever it is. */
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
