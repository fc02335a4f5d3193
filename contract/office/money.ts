import * as v from 'valibot'
import { BATCH_KINDS } from '../acts/batches.ts'
import { endpoint } from '../endpoint.ts'
import {
  ATTENDANCE_PROOF_STATES,
  attendanceProofFields,
  INVOICE_STATES,
  LEDGER_ENTRY_KINDS,
} from '../endpoints/money.ts'
import { idParam, idParams, signedMoney, UNBILLABLE_CAUSES } from '../values.ts'
import { pageSchemaOf, pagingByIdQuery, pagingByTextQuery } from './office.ts'

const text = v.string()
const number = v.number()
const idQuery = v.optional(idParam)
const rights = ['billing'] as const

const cause = v.picklist(UNBILLABLE_CAUSES)
const heldSums = v.array(v.object({ cause, count: number, amount: signedMoney }))
/**
 * Whether a lesson counts towards attendance. `open`: the lesson is over, but attendance was not recorded; `excluded`:
 * the lesson does not count for any participant.
 */
export const LESSON_ATTENDANCE_STATES = ['ahead', 'open', 'recorded', 'excluded', 'cancelled'] as const
const courseLine = { courseId: number, number: text, name: text, name2: text }

export const getOfficeMoney = endpoint('office', 'GET', '/api/office/money', {
  rights,
  query: v.object({ seasonId: idQuery }),
  response: v.object({
    /** euros */
    totals: v.object({
      charged: signedMoney,
      waived: signedMoney,
      refunded: signedMoney,
      payroll: signedMoney,
      invoiced: signedMoney,
      paid: signedMoney,
      open: signedMoney,
    }),
    /** amounts that cannot be billed, by cause */
    held: heldSums,
    /** courses that are over but not settled yet, with what prevents their settlement */
    toSettle: v.array(v.object({ ...courseLine, openLessons: number, isListOpen: v.boolean(), people: number })),
    /** settled courses whose data has changed since */
    outdated: v.array(v.object(courseLine)),
    /** settled courses with participants about whom the department has to decide manually */
    undecided: v.array(v.object({ ...courseLine, people: number })),
    proofs: v.object({ open: number }),
  }),
})

/** Steps of a course after its last lesson, in order. */
export const CLOSING_STEPS = ['list', 'proofs', 'settlement', 'handover', 'payment', 'certificates'] as const
/** Who has to act next. */
export const CLOSING_ACTORS = ['instructor', 'department', 'payroll', 'payers'] as const

export const listClosing = endpoint('office', 'GET', '/api/office/closing', {
  rights,
  query: v.object({ seasonId: idQuery }),
  response: v.object({
    /** courses that are over and not finished; those for which most money waits come first */
    courses: v.array(
      v.object({
        ...courseLine,
        /** 'YYYY-MM-DD' */
        lastLesson: v.nullable(text),
        steps: v.array(
          v.object({
            step: v.picklist(CLOSING_STEPS),
            isDone: v.boolean(),
            /** lessons, proofs or people that are open */
            count: number,
          }),
        ),
        /** the first step that is not done, and who has to act */
        next: v.picklist(CLOSING_STEPS),
        actor: v.picklist(CLOSING_ACTORS),
        /** euros that wait for the course to be finished */
        waiting: signedMoney,
      }),
    ),
    /** number of courses that are finished */
    finished: number,
    /** whether the portal itself reminds and settles */
    isAutomatic: v.boolean(),
  }),
})

export const listHeld = endpoint('office', 'GET', '/api/office/held', {
  rights,
  namesPeople: true,
  query: v.object({ ...pagingByIdQuery, cause: v.optional(cause), seasonId: idQuery }),
  response: pageSchemaOf(
    v.object({
      /** id of the ledger account */
      id: number,
      /** null: deleted account */
      webUserId: v.nullable(number),
      name: text,
      cause,
      amount: signedMoney,
    }),
  ),
})

export const listLedger = endpoint('office', 'GET', '/api/office/ledger', {
  rights,
  namesPeople: true,
  query: v.object({ ...pagingByIdQuery, person: idQuery, course: idQuery }),
  response: pageSchemaOf(
    v.object({
      id: number,
      /** null: deleted account */
      webUserId: v.nullable(number),
      name: text,
      courseId: v.nullable(number),
      number: text,
      kind: v.picklist(LEDGER_ENTRY_KINDS),
      amount: signedMoney,
      reason: text,
      at: text,
      batchId: v.nullable(number),
    }),
  ),
})

export const listSettlements = endpoint('office', 'GET', '/api/office/settlements', {
  rights,
  query: v.object({ ...pagingByIdQuery, seasonId: idQuery }),
  response: pageSchemaOf(
    v.object({
      /** id of the course's last settlement */
      id: number,
      ...courseLine,
      settledAt: text,
      people: number,
      /** sum of all ledger entries of the course, in euros */
      amount: signedMoney,
    }),
  ),
})

export const getSettlement = endpoint('office', 'GET', '/api/office/settlements/:id', {
  rights,
  namesPeople: true,
  params: idParams,
  response: v.object({
    ...courseLine,
    /** 0: not settled */
    settlement: number,
    isOutdated: v.boolean(),
    settledAt: v.nullable(text),
    lessons: v.array(v.object({ courseDateId: number, at: text, recording: v.picklist(LESSON_ATTENDANCE_STATES) })),
    /** current prices in euros; `externalFee` is null if it is calculated from the fee */
    prices: v.object({ fee: signedMoney, energyFee: signedMoney, externalFee: v.nullable(signedMoney) }),
    lines: v.array(
      v.object({
        webUserId: number,
        name: text,
        counted: number,
        present: number,
        excused: number,
        needed: number,
        promised: number,
        delivered: number,
        outcome: v.picklist(['regular', 'not-regular', 'undecided', 'does-not-earn', 'ended', 'course-cancelled']),
        /** amounts in euros, by kind of ledger entry */
        amounts: v.record(text, signedMoney),
        sum: signedMoney,
        /**
         * certificate of attendance: `code` is that of the valid certificate, or null if it is earned but not issued;
         * the whole value is null if none is earned
         */
        certificate: v.nullable(v.object({ code: v.nullable(text) })),
      }),
    ),
  }),
})

export const listOfficeProofs = endpoint('office', 'GET', '/api/office/proofs', {
  rights,
  namesPeople: true,
  query: v.object({ ...pagingByIdQuery, state: v.optional(v.picklist(ATTENDANCE_PROOF_STATES)), person: idQuery }),
  response: pageSchemaOf(
    v.object({
      ...attendanceProofFields,
      webUserId: number,
      name: text,
      hasFile: v.boolean(),
      workingDays: number,
    }),
  ),
})

export const getProofFile = endpoint('office', 'GET', '/api/office/proofs/:id/file', {
  rights,
  namesPeople: true,
  params: idParams,
  response: { file: 'application/octet-stream' },
})

const batch = {
  id: number,
  kind: v.picklist(BATCH_KINDS),
  /** null: all divisions */
  divisionId: v.nullable(number),
  state: v.picklist(['draft', 'closed', 'answered']),
  count: number,
  amount: signedMoney,
  /** SHA-256 of the file in hexadecimal; '' for a draft */
  sha256: text,
  createdAt: text,
  closedAt: v.nullable(text),
}

export const listBatches = endpoint('office', 'GET', '/api/office/batches', {
  rights,
  query: v.object(pagingByIdQuery),
  response: pageSchemaOf(v.object(batch)),
})

export const getBatch = endpoint('office', 'GET', '/api/office/batches/:id', {
  rights,
  namesPeople: true,
  params: idParams,
  response: v.object({
    ...batch,
    /** for a draft: the ledger lines that would be included if it were closed now, without references */
    lines: v.array(
      v.object({
        reference: text,
        webUserId: v.nullable(number),
        name: text,
        amount: signedMoney,
        state: v.picklist(['draft', 'sent', 'accepted', 'returned']),
        why: text,
      }),
    ),
    /** for a draft: totals by division */
    divisions: v.array(v.object({ name: text, count: number, amount: signedMoney })),
    /** for a draft: amounts that cannot be billed, by reason */
    held: heldSums,
    /** for a draft of invoices: courses whose entries are left out until they have been settled again */
    outdated: v.array(v.object({ courseId: number, number: text, name: text, name2: text })),
  }),
})

export const getBatchFile = endpoint('office', 'GET', '/api/office/batches/:id/file', {
  rights,
  params: idParams,
  query: v.object({ format: v.optional(v.picklist(['csv', 'xlsx', 'zip', 'xml'])) }),
  response: { file: 'text/csv', or: 'application/zip' },
})

/**
 * How an invoice or its last reminder reached the payer. `waiting`: e-mail not sent yet; `refused`: e-mail given up;
 * `letter`: not printed yet; `none`: the account was deleted
 */
export const INVOICE_DELIVERIES = ['delivered', 'waiting', 'refused', 'letter', 'none'] as const

export const listInvoices = endpoint('office', 'GET', '/api/office/invoices', {
  rights,
  namesPeople: true,
  query: v.object({
    ...pagingByTextQuery,
    unpaid: v.optional(v.literal('true')),
    /** unpaid invoices that have not reached the payer */
    undelivered: v.optional(v.literal('true')),
    state: v.optional(v.picklist(INVOICE_STATES)),
    /** level of the last reminder; 0: not reminded yet */
    level: v.optional(v.pipe(v.string(), v.regex(/^[0-3]$/))),
  }),
  response: pageSchemaOf(
    v.object({
      number: text,
      webUserId: v.nullable(number),
      name: text,
      issuedOn: text,
      dueOn: text,
      amount: signedMoney,
      paid: signedMoney,
      state: v.picklist(INVOICE_STATES),
      /** number of the invoice that this one cancels; '' if it cancels none */
      cancels: text,
      /** level of the last reminder, 0 to 3 */
      reminders: number,
      /** day of the last reminder, 'YYYY-MM-DD' */
      remindedOn: v.nullable(text),
      delivery: v.picklist(INVOICE_DELIVERIES),
    }),
  ),
})

export const getInvoicePdf = endpoint('office', 'GET', '/api/office/invoices/:file', {
  rights,
  namesPeople: true,
  params: v.object({ file: text }),
  response: { file: 'application/pdf' },
})
