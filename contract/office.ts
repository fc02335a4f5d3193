import * as v from 'valibot'
import { actBody, rightsForAct } from './acts/acts.ts'
import { endpoint } from './endpoint.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const named = v.object({ id: v.number(), name: v.string() })

/** What an act set off, or would. */
export const consequences = v.object({
  mails: count,
  letters: count,
  messages: count,
  pushes: count,
  /** who got a place or a place on the waiting list */
  booked: v.array(named),
  /** whose booking or wait ended */
  ended: v.array(named),
  /** who moved up from the waiting list */
  promoted: v.array(named),
  told: v.array(named),
  /** whom neither mail nor push reaches */
  call: v.array(v.object({ id: v.number(), name: v.string(), phone: v.string() })),
  /** who or what is needed twice */
  clashes: v.array(
    v.object({
      person: v.optional(v.string()),
      room: v.optional(v.string()),
      instructor: v.optional(v.string()),
      courseId: v.number(),
      /** 'YYYY-MM-DDTHH:mm' */
      at: v.string(),
    }),
  ),
})
export type Consequences = v.InferOutput<typeof consequences>

export const ACT_STATUSES = ['Ok', 'Failed', 'Changed', 'Reason'] as const

export const actAnswer = v.object({
  status: v.picklist(ACT_STATUSES),
  message: v.string(),
  /** the line of the record; null unless the act was done */
  recordId: v.nullable(v.number()),
  /** of what the act names, after it; null where that has none */
  version: v.nullable(v.number()),
  /** ids of what was made; `errors` of an import */
  result: v.record(v.string(), v.unknown()),
  consequences,
})
export type ActAnswer = v.InferOutput<typeof actAnswer>

export const performAct = endpoint('POST', '/api/office/acts', {
  access: 'office',
  rights: rightsForAct,
  summary:
    'Does one act of the department, or says what it would do (`preview`). Done once, the same `actId` changes nothing',
  body: actBody,
  maxBytes: 16 * 1024 * 1024,
  response: actAnswer,
})
