import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { apiCallOutcome, id } from '../values.ts'

const text = v.string()

/** State of a request to teach a lesson as a substitute, for the instructor who was asked. */
export const SUBSTITUTE_REQUEST_STATES = ['open', 'yours', 'declined', 'taken', 'closed'] as const

/** Lesson for which an instructor is asked to be the substitute. It contains no names of people. */
export const substituteRequest = v.object({
  courseDateId: v.number(),
  number: text,
  name: text,
  name2: text,
  /** 'YYYY-MM-DD' */
  date: text,
  startTime: text,
  endTime: text,
  room: text,
  city: text,
  /** until when the request can be answered, 'YYYY-MM-DDTHH:mm' */
  until: text,
  state: v.picklist(SUBSTITUTE_REQUEST_STATES),
})
export type SubstituteRequest = v.InferOutput<typeof substituteRequest>

/** secret of the link in the e-mail; missing for the person who is logged in */
const token = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200)))
const answer = v.object({ ...apiCallOutcome.entries, items: v.array(substituteRequest) })

export const listSubstituteRequests = endpoint('optional', 'POST', '/api/substitute-requests', {
  body: v.object({ token }),
  response: answer,
})

export const answerSubstituteRequest = endpoint('optional', 'POST', '/api/substitute-requests/answer', {
  body: v.object({
    token,
    courseDateIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(500)),
    accept: v.boolean(),
  }),
  response: answer,
})
