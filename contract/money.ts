import * as v from 'valibot'
import { day } from './acts/act.ts'
import { endpoint } from './endpoint.ts'
import { isIban } from './iban-rules.ts'
import { SETTLED_KINDS } from './ledger-kinds.ts'
import { idParams, outcome, signedMoney } from './values.ts'

/** IBAN as people write it, in blocks or lower case; blanks are removed. */
export const iban = v.pipe(
  v.string(),
  v.maxLength(60),
  v.transform(text => text.replaceAll(/\s/g, '').toUpperCase()),
  v.check(isIban, 'is no IBAN'),
)

/** Kinds of ledger entries: those of a settlement, then those that the department adds by hand. */
export const ENTRY_KINDS = [...SETTLED_KINDS, 'goodwill', 'correction', 'write-off'] as const
/** Billing state of a course fee. `open`: not settled yet. */
export const COST_STATES = ['open', 'settled', 'payroll', 'invoiced', 'paid', 'held'] as const
export const PROOF_KINDS = ['shift', 'sick'] as const
export const PROOF_STATES = ['open', 'accepted', 'refused'] as const

/** Maximum size of an uploaded proof. */
export const MAX_PROOF_BYTES = 10 * 1024 * 1024

/**
 * Versions of the text by which a person consents to the processing of a sick note (`costs:proof.consent`), the newest last: each
 * change of the text needs a new one.
 */
export const CONSENT_VERSIONS = ['1', '2'] as const
export const CONSENT_VERSION = '2'

const text = v.string()
const number = v.number()

export const costLine = v.object({
  kind: v.picklist(ENTRY_KINDS),
  amount: signedMoney,
  /** in the reader's language */
  text,
  /** 'YYYY-MM-DDTHH:mm' */
  at: text,
})

export const listOwnMoney = endpoint('session', 'GET', '/api/money', {
  response: v.object({
    /** sum of all entries in euros */
    balance: signedMoney,
    /** where a refund is to be paid, until it is; else '' */
    iban: text,
    seasons: v.array(
      v.object({
        /** null: the entries without a course */
        seasonId: v.nullable(number),
        name: text,
        name2: text,
        courses: v.array(
          v.object({
            /** null: the entries without a course */
            courseId: v.nullable(number),
            number: text,
            name: text,
            name2: text,
            lines: v.array(costLine),
            sum: signedMoney,
            state: v.picklist(COST_STATES),
            /** for `held`: the cause and its remedy, in the reader's language; else '' */
            cause: text,
            help: text,
          }),
        ),
      }),
    ),
  }),
})

export const saveIban = endpoint('session', 'PUT', '/api/money/iban', {
  body: v.object({ iban }),
  response: outcome,
})

/** Fields of a proof that the person and the desk see. */
export const proofFields = {
  id: number,
  kind: v.picklist(PROOF_KINDS),
  from: text,
  to: text,
  state: v.picklist(PROOF_STATES),
  reason: text,
  fileName: text,
  createdAt: text,
}

const ownProof = v.object({
  ...proofFields,
  /** effect in the reader's language, such as "8 of 10 working days"; '' for an open or refused proof */
  effect: text,
  /** explicit consent to a sick note; null for a proof of shift work */
  consent: v.nullable(v.object({ at: text, version: text, withdrawnAt: v.nullable(text) })),
})

export const listOwnProofs = endpoint('session', 'GET', '/api/proofs', {
  response: v.object({ items: v.array(ownProof) }),
})

export const addProof = endpoint('session', 'POST', '/api/proofs', {
  takesFile: true,
  maxBytes: MAX_PROOF_BYTES + 100 * 1024,
  form: v.pipe(
    v.object({
      kind: v.picklist(PROOF_KINDS),
      from: day,
      to: day,
      /** version of the text that the person consented to; the first one, which earlier apps show, if it is missing */
      consent: v.optional(v.picklist(CONSENT_VERSIONS), '1'),
    }),
    v.forward(
      v.check(({ from, to }) => from <= to, 'ends before it starts'),
      ['to'],
    ),
  ),
  response: v.object({ ...outcome.entries, id: number }),
})

export const deleteProof = endpoint('session', 'DELETE', '/api/proofs/:id', {
  params: idParams,
  response: outcome,
})

export const withdrawConsent = endpoint('session', 'DELETE', '/api/proofs/:id/consent', {
  params: idParams,
  response: outcome,
})
