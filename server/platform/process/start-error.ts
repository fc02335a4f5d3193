/** Startup failure that the operator can fix. `message` is a single line, which is shown without a stack trace. */
export class StartError extends Error {
  override name = 'StartError'

  constructor(message: string, options?: ErrorOptions) {
    super(message.replace(/\s*\n\s*/g, ' ').trim(), options)
  }
}

/** Invalid command line: `message` contains the usage, and the exit status is 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Another portal already serves this DATA_DIR. */
export class DataDirInUseError extends StartError {
  override name = 'DataDirInUseError'
}
