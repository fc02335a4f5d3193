declare module '@openactive/data-model-validator' {
  /** What is to be said of a piece of OpenActive data. */
  export function validate(
    data: unknown,
    options?: Record<string, unknown>,
  ): Promise<{ severity: string; path: string; message: string }[]>
}
