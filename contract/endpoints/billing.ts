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

/** Ready formats of the payroll file; `table` is a table with the configured columns. */
export const PAYROLL_PROFILES = ['table', 'datev-lodas', 'datev-lug'] as const

const digits = (max: number) =>
  v.pipe(v.string(), v.regex(new RegExp(`^\\d{1,${max}}$`), `must be a number of at most ${max} digits`))

const account = digits(9)

/** Configuration for the payroll file and invoices, read from `branding/billing.json` at startup. */
export const billingConfig = v.strictObject({
  payroll: v.pipe(
    v.strictObject({
      profile: v.optional(v.picklist(PAYROLL_PROFILES), 'table'),
      /** numbers that identify the company in the DATEV profiles */
      datev: v.optional(
        v.strictObject({
          consultantNumber: digits(7),
          clientNumber: digits(5),
          /** how LODAS processes the value of a line, from the payroll office (Bearbeitungsschlüssel) */
          processingKey: v.optional(digits(2)),
        }),
      ),
      separator: v.picklist([';', ',', '\t']),
      /** `latin1` is an older name of `windows-1252` */
      encoding: v.picklist(['utf-8-bom', 'utf-8', 'windows-1252', 'latin1']),
      columns: v.pipe(v.array(v.picklist(PAYROLL_COLUMNS)), v.nonEmpty('must name a column')),
      /** whether the first line has the column names, and the last one the sum */
      header: v.optional(v.boolean(), true),
      sumRow: v.optional(v.boolean(), true),
      decimalSign: v.optional(v.picklist([',', '.']), ','),
      /** date pattern of the column `period`, whose day is the first of the month */
      period: v.optional(
        v.pipe(text, v.regex(/^(?:YYYY|YY|MM|DD|[-./ ])+$/, 'must be made of YYYY, YY, MM, DD and - . /')),
        'YYYY-MM',
      ),
      wageType: text,
      /** wage types that differ from `wageType` */
      wageTypes: v.optional(
        v.strictObject({ fee: v.optional(text), energyFee: v.optional(text), refund: v.optional(text) }),
        {},
      ),
      /** cost centre for divisions that `costCentres` does not list */
      costCentre: v.string(),
      /** cost centres by division name */
      costCentres: v.record(v.string(), v.string()),
    }),
    v.check(({ profile, datev }) => profile === 'table' || datev !== undefined, 'must have datev for this profile'),
    v.check(
      ({ profile, datev }) => profile !== 'datev-lodas' || Boolean(datev?.processingKey),
      'must have datev.processingKey for this profile',
    ),
  ),
  invoice: v.strictObject({
    recipient: v.pipe(text, v.maxLength(70)),
    iban: v.pipe(text, v.regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN without blanks')),
    bic: v.pipe(v.string(), v.regex(/^(?:[A-Z0-9]{8}(?:[A-Z0-9]{3})?)?$/, 'must be a BIC or empty')),
    dueDays: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(365)),
    vat: v.strictObject({ de: text, en: text }),
  }),
  /** accounting file for accounting (DATEV-Format Buchungsstapel); without it, none can be made */
  accounting: v.optional(
    v.pipe(
      v.strictObject({
        consultantNumber: v.pipe(v.string(), v.regex(/^[1-9]\d{3,6}$/, 'must be a number from 1001 to 9999999')),
        clientNumber: digits(5),
        /** digits of a general ledger account; the debtor account has one more */
        accountLength: v.pipe(v.number(), v.integer(), v.minValue(4), v.maxValue(8)),
        /** first month of the fiscal year */
        fiscalYearMonth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12)), 1),
        /** first day whose documents are included, 'YYYY-MM-DD' */
        from: v.optional(v.pipe(v.string(), v.isoDate('must be a day such as 2027-01-01')), '2000-01-01'),
        /** `bank`: the bank account, or the clearing account if accounting posts the bank statements itself */
        accounts: v.strictObject({ debtor: account, revenue: account, bank: account }),
      }),
      v.check(
        ({ accountLength, accounts: { debtor, revenue, bank } }) =>
          debtor.length === accountLength + 1 && [revenue, bank].every(one => one.length === accountLength),
        'must have accounts of accountLength digits, and a debtor account with one more',
      ),
    ),
  ),
})
export type BillingConfig = v.InferOutput<typeof billingConfig>
