/** A reason not to start which the operator can act on: `message` is one line, shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' ').trim(), options)
  }
}

/** No such command line: `message` says how the command is called, and the exit status is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Another portal already serves this DATA_DIR. */
export class DataDirInUseError extends StartError {
  override name = 'DataDirInUseError'
}
