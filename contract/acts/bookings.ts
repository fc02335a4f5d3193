import * as v from 'valibot'
import { normalizeText } from '../normalize.ts'
import { keysOf, recordFromKeys } from '../records.ts'
import {
  bilingualSingleLineTexts,
  bilingualTexts,
  dateField,
  dateTimeField,
  requiredSingleLineText,
} from '../tables/field-schemas.ts'
import { profileRequestEntries } from '../tables/person.ts'
import { boundedMoney, employeeStatus, id, language, RIGHTS, right } from '../values.ts'
import { defineAct } from './act.ts'

const { email, password, confirmPassword, ...profile } = profileRequestEntries
type ProfileEntries = typeof profile
/** No field has a default, so omitted fields remain unchanged. */
const partial = recordFromKeys(keysOf(profile), field => {
  const schema = profile[field]
  return v.optional('wrapped' in schema ? schema.wrapped : schema)
}) as {
  [Field in keyof ProfileEntries]: v.OptionalSchema<
    v.GenericSchema<v.InferOutput<ProfileEntries[Field]>, v.InferOutput<ProfileEntries[Field]>>,
    undefined
  >
}
const personFields = { ...partial, email: v.optional(v.union([v.literal(''), email])) }

/** Options for the amount due after a cancellation: nothing, the processing fee, an agreed share, or the full price. */
export const CANCELLATION_CHARGES = ['none', 'processing', 'share', 'full'] as const

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
  /** day of a lesson */
  date: v.optional(dateField),
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

/** Maximum number of lessons whose missing attendance records one action reminds of. */
const MAX_REMINDED_LESSONS = 5_000

const webUserIds = v.pipe(v.array(id), v.maxLength(1_000))

export const attendanceActs = {
  'record-attendance': defineAct(
    'bookings',
    { courseDateId: id, present: webUserIds, absent: webUserIds },
    { people: ['present', 'absent'] },
  ),
  'remind-attendance': defineAct(['programme', 'bookings'], {
    courseDateIds: v.pipe(v.array(id), v.minLength(1), v.maxLength(MAX_REMINDED_LESSONS)),
  }),
}

export const bookingActs = {
  book: defineAct('bookings', { courseId: id, webUserId: id }, { people: ['webUserId'] }),
  'cancel-booking': defineAct(
    'bookings',
    { courseId: id, webUserId: id, charge: v.picklist(CANCELLATION_CHARGES), amount: v.optional(boundedMoney) },
    { people: ['webUserId'] },
  ),
  'move-booking': defineAct('bookings', { fromCourseId: id, toCourseId: id, webUserId: id }, { people: ['webUserId'] }),
  'create-person': defineAct(
    'bookings',
    { ...personFields, familyName: v.pipe(v.string(), v.transform(normalizeText), requiredSingleLineText(100)) },
    { addresses: ['email'], changes: ['names'] },
  ),
  'change-person': defineAct(
    'bookings',
    { webUserId: id, ...personFields },
    { people: ['webUserId'], addresses: ['email'], changes: ['login', 'names'] },
  ),
  'invite-person': defineAct(
    ['programme', 'bookings', 'owner'],
    {
      email,
      language: v.optional(language),
      /** rights that the person receives once they confirm the new e-mail address */
      rights: v.optional(v.pipe(v.array(right), v.maxLength(RIGHTS.length))),
    },
    { addresses: ['email'], changes: ['rights', 'names'], grants: 'rights' },
  ),
  'lock-person': defineAct('bookings', { webUserId: id }, { people: ['webUserId'], changes: ['login'] }),
  'unlock-person': defineAct('bookings', { webUserId: id }, { people: ['webUserId'], changes: ['login'] }),
  /** notes a telephone call on the person's timeline */
  'note-call': defineAct(
    'bookings',
    { webUserId: id, text: v.pipe(v.string(), v.transform(normalizeText), v.minLength(1), v.maxLength(2_000)) },
    { people: ['webUserId'] },
  ),
  'verify-person': defineAct('bookings', { webUserId: id }, { people: ['webUserId'] }),
  'merge-people': defineAct(
    'bookings',
    { webUserId: id, intoWebUserId: id },
    { people: ['webUserId', 'intoWebUserId'], changes: ['login', 'names'] },
  ),
  'send-message': defineAct(
    'bookings',
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
    {
      messageId: v.optional(id),
      state: v.picklist(SAVED_MESSAGE_STATES),
      sendAt: v.optional(dateTimeField),
      to: v.optional(v.picklist(MESSAGE_RECIPIENTS)),
      toId: v.optional(id),
      filter: v.optional(messageFilter),
      ...messageFields,
    },
    { people: [{ field: 'toId', where: 'to', is: 'person' }] },
  ),
  'remove-message': defineAct('bookings', { messageId: id }),
  'save-eligible': defineAct('bookings', {
    rows: v.pipe(
      v.array(
        v.strictObject({
          personnelNumber: requiredSingleLineText(50),
          divisionId: v.optional(v.nullable(id), null),
          employeeStatus: v.optional(v.nullable(employeeStatus), null),
        }),
      ),
      v.maxLength(100_000),
    ),
  }),
}
