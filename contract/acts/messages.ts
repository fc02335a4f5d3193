import * as v from 'valibot'
import {
  bilingualSingleLineTexts,
  bilingualTexts,
  dateField,
  dateTimeField,
  requiredSingleLineText,
} from '../tables/field-schemas.ts'
import { employeeStatus, id } from '../values.ts'
import { defineAct } from './act.ts'

export const MESSAGE_RECIPIENTS = ['course', 'lesson', 'waiting', 'category', 'person', 'filter'] as const
export const MESSAGE_FILTER_STATES = ['booked', 'waiting', 'instructor', 'owes'] as const
const anyOf = <Item extends v.GenericSchema>(item: Item, max: number) =>
  v.optional(v.pipe(v.array(item), v.minLength(1), v.maxLength(max)))
/** Conditions that the recipients of a message meet; those of a list are alternatives. */
export const messageFilter = v.strictObject({
  seasonIds: anyOf(id, 100),
  courseIds: anyOf(id, 5_000),
  categoryIds: anyOf(id, 1_000),
  roomIds: anyOf(id, 1_000),
  sites: anyOf(requiredSingleLineText(200), 200),
  /** day of a lesson, or the first of several days */
  date: v.optional(dateField),
  /** last day of a lesson; defaults to `date` */
  until: v.optional(dateField),
  employeeStatuses: anyOf(employeeStatus, 20),
  divisionIds: anyOf(id, 1_000),
  /** defaults to people with a seat; `owes` restricts the other states to people who owe an amount */
  states: anyOf(v.picklist(MESSAGE_FILTER_STATES), MESSAGE_FILTER_STATES.length),
})
export type MessageFilter = v.InferOutput<typeof messageFilter>
/** States of messages that have not been sent yet. Templates have no recipients. */
export const SAVED_MESSAGE_STATES = ['scheduled', 'draft', 'template'] as const
const messageFields = {
  ...bilingualSingleLineTexts('title', 200),
  title: requiredSingleLineText(200),
  ...bilingualTexts('text'),
  mail: v.boolean(),
}

export const messageActs = {
  'send-message': defineAct(
    'bookings',
    'Sends a message to the people in a course, lesson, waiting list or category, to one person, or to all who match a filter',
    {
      to: v.picklist(MESSAGE_RECIPIENTS),
      /** missing if the recipients are those of a filter */
      id: v.optional(id),
      filter: v.optional(messageFilter),
      ...messageFields,
      /** id of the draft or scheduled message that this one replaces */
      messageId: v.optional(id),
    },
    { people: [{ field: 'id', where: 'to', is: 'person' }] },
  ),
  'save-message': defineAct(
    'bookings',
    'Saves a draft, a template or a scheduled message',
    {
      messageId: v.optional(id),
      state: v.picklist(SAVED_MESSAGE_STATES),
      sendAt: v.optional(dateTimeField),
      to: v.optional(v.picklist(MESSAGE_RECIPIENTS)),
      toId: v.optional(id),
      filter: v.optional(messageFilter),
      ...messageFields,
    },
    { people: [{ field: 'toId', where: 'to', is: 'person' }], result: ['id', 'recipients'] },
  ),
  'remove-message': defineAct('bookings', 'Deletes a draft, a template or a scheduled message', { messageId: id }),
}
