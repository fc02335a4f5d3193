import * as v from 'valibot'
import { dateField } from '../tables/field-schemas.ts'
import { boundedMoney, id, uuid } from '../values.ts'
import { defineAct } from './act.ts'

/** Levels of invoice reminders. */
export const REMINDER_LEVELS = [1, 2, 3] as const
export const BATCH_KINDS = ['payroll', 'invoice', 'refund', 'accounting'] as const
/** '2027-000123' */
export const invoiceNumber = v.pipe(v.string(), v.regex(/^\d{4}-\d{6}$/))

const columnName = v.pipe(v.string(), v.maxLength(200))
const turnoverKeys = v.pipe(v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{24}$/))), v.maxLength(1_000))

export const batchActs = {
  'create-batch': defineAct(
    'billing',
    'Creates a draft batch for payroll, invoices, refunds or accounting',
    {
      batchKind: v.picklist(BATCH_KINDS),
      /** if null or missing: people of all divisions */
      divisionId: v.optional(v.nullable(id)),
      /**
       * 'YYYY-MM': month for which payroll deducts the amounts, if missing the month in which the batch is closed; last
       * month whose documents accounting gets, if missing all until today
       */
      period: v.optional(v.pipe(v.string(), v.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/))),
    },
    { result: ['id', 'count', 'amount'] },
  ),
  'close-batch': defineAct(
    'billing',
    'Closes a draft batch and finalizes its file. Invoices are sent to the payers by e-mail and to their inbox, or as a letter to people without an e-mail address; entries of courses whose settlement is outdated are left out',
    { batchId: id },
    { result: ['id', 'count', 'amount', 'invoices', 'undelivered', 'outdated'] },
  ),
  'answer-batch': defineAct(
    'billing',
    'Records which lines of a batch payroll or the bank accepted and which they returned',
    {
      batchId: id,
      /** id of an uploaded CSV file of rejected lines, with the columns `reference` and `reason` */
      fileId: v.optional(uuid),
      all: v.optional(v.literal(true)),
    },
    { result: ['accepted', 'returned', 'unread'] },
  ),
  'mark-paid': defineAct(
    'billing',
    'Records payments of invoices: a single payment, or all payments in a bank statement',
    {
      /** sent together with `paidOn` and `amount`; omitted if a file is imported with `fileId` */
      invoiceNumber: v.optional(invoiceNumber),
      paidOn: v.optional(dateField),
      amount: v.optional(boundedMoney),
      /** id of an uploaded bank statement: camt.052, camt.053, camt.054, MT940 or CSV, also zipped */
      fileId: v.optional(uuid),
      /** columns of a CSV file of an unknown layout, which is remembered; names as in the header, or numbers without one */
      columns: v.optional(
        v.strictObject({ day: columnName, amount: columnName, text: columnName, payer: v.optional(columnName) }),
      ),
      /** keys of statement lines in `maybe` to record, although they look like an earlier payment or take one back */
      confirm: v.optional(turnoverKeys),
      /** keys of statement lines in `maybe` to drop: they are not recorded, and later imports do not list them again */
      drop: v.optional(turnoverKeys),
    },
    { result: ['open'] },
  ),
  'cancel-invoice': defineAct(
    'billing',
    'Cancels an unpaid invoice by issuing a cancellation invoice',
    { invoiceNumber },
    { result: ['number'] },
  ),
  'remind-invoices': defineAct(
    'billing',
    'Sends reminders of unpaid invoices, with the invoice attached',
    {
      invoiceNumbers: v.pipe(v.array(invoiceNumber), v.minLength(1), v.maxLength(500)),
      /** if missing, one more than that of the invoice's last reminder, at most 3 */
      level: v.optional(v.picklist(REMINDER_LEVELS)),
      /** new due date, which the reminder states; if missing, the usual number of days from today */
      dueOn: v.optional(dateField),
    },
    { result: ['dueOn', 'credited'] },
  ),
}
