import * as v from 'valibot'

const text = v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))

/** Columns available for the payroll file. The operator chooses which of them are written, and in which order. */
export const PAYROLL_COLUMNS = [
  'personnelNumber',
  'division',
  'wageType',
  'amount',
  'period',
  'costCentre',
  'reference',
] as const

/** Configuration for the payroll file and invoices, read from `branding/billing.json` at startup. */
export const billingConfig = v.strictObject({
  payroll: v.strictObject({
    separator: v.picklist([';', ',', '\t']),
    encoding: v.picklist(['utf-8-bom', 'utf-8', 'latin1']),
    columns: v.pipe(v.array(v.picklist(PAYROLL_COLUMNS)), v.nonEmpty('must name a column')),
    wageType: text,
    /** cost centre for divisions that `costCentres` does not list */
    costCentre: v.string(),
    /** cost centres by division name */
    costCentres: v.record(v.string(), v.string()),
  }),
  invoice: v.strictObject({
    recipient: v.pipe(text, v.maxLength(70)),
    iban: v.pipe(text, v.regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN without blanks')),
    bic: v.pipe(v.string(), v.regex(/^(?:[A-Z0-9]{8}(?:[A-Z0-9]{3})?)?$/, 'must be a BIC or empty')),
    dueDays: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365)),
    vat: v.strictObject({ de: text, en: text }),
  }),
})
export type BillingConfig = v.InferOutput<typeof billingConfig>
