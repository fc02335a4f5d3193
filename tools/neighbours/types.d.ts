declare module '@openactive/data-model-validator' {
  export function validate(
    data: unknown,
    options?: Record<string, unknown>,
  ): Promise<{ severity: string; path: string; message: string }[]>
}
