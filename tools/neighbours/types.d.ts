declare module '@openactive/data-model-validator' {
  export function validate(
    data: unknown,
    options?: Record<string, unknown>,
  ): Promise<{ severity: string; path: string; message: string }[]>
}

declare module 'mt940js' {
  /** `entryDate`: '' if the line has none */
  type Transaction = { date: Date; entryDate: Date | ''; amount: number }
  class Parser {
    parse(text: string): { transactions: Transaction[] }[]
  }
  const mt940: { Parser: typeof Parser }
  export default mt940
}

declare module '@centrapay/swift-parser' {
  /** `amount`: with a point and a sign. `entryDate`: '' if the line has none */
  type Transaction = { date: Date; entryDate: Date | ''; amount: object }
  export type Statement = { accountIdentification: string; transactions: Transaction[] }
  export function parse(options: { type: 'mt940' | 'mt942'; data: string }): Statement[]
}

declare module 'iban' {
  const iban: { isValid(text: string): boolean; countries: Record<string, { example: string }> }
  export default iban
}
