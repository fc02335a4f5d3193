import type { ActKind } from '#contract/acts/acts.ts'
import type { ActHandler } from '../desk-service.ts'
import { book } from './book.ts'
import { cancelBooking } from './cancel-booking.ts'
import { changePerson } from './change-person.ts'
import { createPerson } from './create-person.ts'
import { grantRight } from './grant-right.ts'
import { lockPerson } from './lock-person.ts'
import { mergePeople } from './merge-people.ts'
import { moveBooking } from './move-booking.ts'
import { revokeRight } from './revoke-right.ts'
import { saveEligible } from './save-eligible.ts'
import { sendMessage } from './send-message.ts'
import { unlockPerson } from './unlock-person.ts'
import { verifyPerson } from './verify-person.ts'

/** The acts by what they are called on the wire. */
export const actHandlers: { [Kind in ActKind]: ActHandler<Kind> } = {
  book,
  'cancel-booking': cancelBooking,
  'move-booking': moveBooking,
  'create-person': createPerson,
  'change-person': changePerson,
  'lock-person': lockPerson,
  'unlock-person': unlockPerson,
  'verify-person': verifyPerson,
  'merge-people': mergePeople,
  'send-message': sendMessage,
  'save-eligible': saveEligible,
  'grant-right': grantRight,
  'revoke-right': revokeRight,
}
