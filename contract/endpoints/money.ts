import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { isIban } from '../rules/iban-rules.ts'
import { dateField } from '../tables/field-schemas.ts'
import { apiCallOutcome, idParams, PASSWORD_MAX_LENGTH, SETTLEMENT_ENTRY_KINDS, signedMoney } from '../values.ts'

/** IBAN as people type it, possibly in groups or in lower case. Spaces are removed. */
export const iban = v.pipe(
  v.string(),
  v.maxLength(60),
  v.transform(text => text.replaceAll(/\s/g, '').toUpperCase()),
  v.check(isIban, 'is no IBAN'),
)

/** Kinds of ledger entries: first those written by a settlement, then those that the department adds manually. */
export const LEDGER_ENTRY_KINDS = [...SETTLEMENT_ENTRY_KINDS, 'goodwill', 'correction', 'write-off'] as const
/** Billing states of a course fee. `open` means that it has not been settled yet. */
export const FEE_BILLING_STATES = ['open', 'settled', 'payroll', 'invoiced', 'paid', 'held'] as const
export const ATTENDANCE_PROOF_KINDS = ['shift', 'sick'] as const
export const ATTENDANCE_PROOF_STATES = ['open', 'accepted', 'refused'] as const

/** Maximum size in bytes of an uploaded sick note or shift certificate. */
export const MAX_ATTENDANCE_PROOF_BYTES = 10 * 1024 * 1024

/**
 * Versions of the text in which a person consents to the processing of a sick note (`costs:proof.consent`), newest
 * last. Every change to the text requires a new version.
 */
export const SICK_NOTE_CONSENT_VERSIONS = ['1', '2'] as const
export const SICK_NOTE_CONSENT_VERSION = '2'

const text = v.string()
const number = v.number()

export const costLine = v.object({
  kind: v.picklist(LEDGER_ENTRY_KINDS),
  amount: signedMoney,
  /** in the user's language */
  text,
  /** 'YYYY-MM-DDTHH:mm' */
  at: text,
})

/** States of invoices: `cancelled` by a cancellation invoice, whose own state is `cancelling`. */
export const INVOICE_STATES = ['open', 'paid', 'overdue', 'cancelled', 'cancelling'] as const

export const listOwnMoney = endpoint('session', 'GET', '/api/money', {
  response: v.object({
    /** sum of all entries in euros */
    balance: signedMoney,
    /** IBAN to which a refund will be paid, as DE75 … 6199; '' if no refund is due */
    iban: text,
    /** invoices, newest first */
    invoices: v.array(
      v.object({
        number: text,
        issuedOn: text,
        dueOn: text,
        amount: signedMoney,
        state: v.picklist(INVOICE_STATES),
      }),
    ),
    seasons: v.array(
      v.object({
        /** null for entries without a course */
        seasonId: v.nullable(number),
        name: text,
        name2: text,
        courses: v.array(
          v.object({
            /** null for entries without a course */
            courseId: v.nullable(number),
            number: text,
            name: text,
            name2: text,
            lines: v.array(costLine),
            sum: signedMoney,
            state: v.picklist(FEE_BILLING_STATES),
            /**
             * why a fee in the state `held` cannot be billed, and how to resolve this, in the user's language;
             * otherwise ''
             */
            cause: text,
            help: text,
          }),
        ),
      }),
    ),
  }),
})

export const getOwnInvoice = endpoint('session', 'GET', '/api/money/invoices/:file', {
  params: v.object({ file: text }),
  response: { file: 'application/pdf' },
})

export const saveIban = endpoint('session', 'PUT', '/api/money/iban', {
  /** `password` is required unless the login is less than an hour old */
  body: v.object({ iban, password: v.optional(v.pipe(v.string(), v.maxLength(PASSWORD_MAX_LENGTH)), '') }),
  response: apiCallOutcome,
})

/** Fields of a sick note or shift certificate that are visible to both the person and the office staff. */
export const attendanceProofFields = {
  id: number,
  kind: v.picklist(ATTENDANCE_PROOF_KINDS),
  from: text,
  to: text,
  state: v.picklist(ATTENDANCE_PROOF_STATES),
  reason: text,
  fileName: text,
  createdAt: text,
}

const ownProof = v.object({
  ...attendanceProofFields,
  /**
   * effect of the certificate in the user's language, such as "8 of 10 working days"; '' while it is undecided or if
   * it was refused
   */
  effect: text,
  /** explicit consent to the processing of a sick note; null for a shift certificate */
  consent: v.nullable(v.object({ at: text, version: text, withdrawnAt: v.nullable(text) })),
})

export const listOwnProofs = endpoint('session', 'GET', '/api/proofs', {
  response: v.object({ items: v.array(ownProof) }),
})

export const addProof = endpoint('session', 'POST', '/api/proofs', {
  takesFile: { burst: 20, perMinute: 2 },
  maxBytes: MAX_ATTENDANCE_PROOF_BYTES + 100 * 1024,
  form: v.pipe(
    v.object({
      kind: v.picklist(ATTENDANCE_PROOF_KINDS),
      from: dateField,
      to: dateField,
      /** version of the text that the person consented to; if missing, version 1, which older apps show */
      consent: v.optional(v.picklist(SICK_NOTE_CONSENT_VERSIONS), '1'),
    }),
    v.forward(
      v.check(({ from, to }) => from <= to, 'ends before it starts'),
      ['to'],
    ),
  ),
  response: v.object({ ...apiCallOutcome.entries, id: number }),
})

export const deleteProof = endpoint('session', 'DELETE', '/api/proofs/:id', {
  params: idParams,
  response: apiCallOutcome,
})

export const withdrawConsent = endpoint('session', 'DELETE', '/api/proofs/:id/consent', {
  params: idParams,
  response: apiCallOutcome,
})
