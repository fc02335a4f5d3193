import type { ActKind } from '../acts/acts.ts'

/** Description of each office action, for client developers. */
export const ACT_DESCRIPTIONS: Record<ActKind, string> = {
  book: 'Books a seat, or adds the person to the end of the waiting list if the course is full. `Ok` without a change if the person already has a booking or a waiting-list entry',
  'cancel-booking':
    'Cancels a booking or a waiting-list entry and promotes the next person on the waiting list; `charge` determines the amount still due. `Ok` without a change if the person has no booking',
  'move-booking':
    'Moves a booking to another course in one transaction: cancels the booking and creates one with another `bookingId` in the other course. `Failed` if the other course is full',
  'create-person': 'Creates an account; without `email`, the person receives letters instead of e-mails',
  'change-person': 'Changes the profile of an account',
  'invite-person': 'Creates an account and e-mails an invitation to set it up',
  'lock-person':
    'Locks an account: ends all sessions, but retains the bookings. Messages that the person scheduled become drafts, which `drafts` counts',
  'unlock-person': 'Unlocks an account',
  'note-call': 'Notes a telephone call with a person, which the timeline of the person shows',
  'verify-person': 'Marks a person as verified, as an entry in the HR list does',
  'merge-people':
    'Merges two accounts of one person: reassigns the bookings and other data of `webUserId` to `intoWebUserId` and deletes the account `webUserId`',
  'record-attendance':
    'Records the attendance at a past lesson, for example from a list on paper. People in neither list remain as they are',
  'remind-attendance':
    'Reminds the instructors of past lessons without recorded attendance, each with one message about all of them',
  'send-message':
    'Sends a message to the people in a course, lesson, waiting list or category, to one person, or to all who match a filter',
  'save-message': 'Saves a draft, a template or a scheduled message',
  'remove-message': 'Deletes a draft, a template or a scheduled message',
  'save-eligible': 'Replaces the entire HR list; people who are no longer on the list become unverified',
  'create-course': 'Creates a course with its lessons',
  'change-course':
    'Changes a course. Additional seats promote people from the waiting list; existing bookings retain their price',
  'change-courses': 'Applies the same change to several courses',
  'confirm-course': 'Confirms that a course takes place',
  'unconfirm-course': 'Withdraws the confirmation of a course',
  'cancel-course': 'Cancels a course; all bookings and waiting-list entries end without charge',
  'restore-course':
    'Reopens a cancelled course without its former bookings. Tells those whose booking the cancellation ended',
  'add-lesson': 'Adds a lesson to a course',
  'cancel-lesson': 'Cancels a lesson',
  'restore-lesson': 'Restores a cancelled lesson',
  'change-lesson': 'Changes the time, room or instructor of a lesson',
  'change-lessons': 'Changes, cancels or restores lessons of any courses',
  'set-absence':
    'Registers the absence of an instructor and changes the affected lessons, for example by assigning substitutes',
  'remove-absence':
    'Removes an absence and optionally changes its lessons, for example by reassigning them to the instructor',
  'ask-substitutes':
    'Asks instructors who are free whether they can teach lessons as substitutes, each with one message. The first to accept before `until` becomes the substitute and the participants are notified; the others learn that the lesson is taken',
  'withdraw-substitutes': 'Withdraws open requests for substitutes and notifies those who have not answered',
  'set-closure':
    'Closes rooms or a site for some days and changes the affected lessons, for example by moving them to other rooms',
  'remove-closure': 'Reopens closed rooms or a closed site and optionally changes its lessons',
  'create-season': 'Creates a season as a draft',
  'change-season': 'Changes a season',
  'publish-season': 'Publishes a draft season with its courses',
  'publish-booking-order':
    'Publishes the order in which the booking requests of a season were received, without names, so that everybody can check it. It cannot be changed or withdrawn. `Failed` before the season has opened for booking, without requests, or if it is already published',
  'unpublish-season': 'Turns a season back into a draft; `Failed` if a course of the season has ever been booked',
  'copy-season': 'Copies a season with its courses to new dates, as a draft',
  'save-category': 'Creates or changes a category of courses',
  'save-division': 'Creates or changes a division (a company of the group)',
  'save-instructor': 'Creates or changes the profile of an instructor',
  'save-room': 'Creates or changes a room',
  'create-rooms': 'Creates rooms from the venues of courses (`unknown` in the response of `GET /api/office/rooms`)',
  'import-programme':
    'Imports an uploaded programme; with `preview`, performs a dry run. For a rejected import, `result.errors` contains the invalid lines',
  'save-content': 'Creates or changes an item of the start page',
  'save-album':
    'Creates or changes a photo album; `becomesPublic` if so far only the participants of a course could see it',
  'save-photo':
    'Creates or changes a photo of an album; `becomesPublic` if so far only the participants of a course could see it',
  'save-page': 'Replaces the text of a page such as the FAQ or the terms',
  remove: 'Removes an object that has neither bookings nor attendance; `what` determines the required right',
  'grant-right': 'Grants an account a right in the office UI',
  'revoke-right': 'Revokes a right of an account in the office UI',
  'create-token': 'Creates a service token from a secret generated by the caller; valid for at most one year',
  'revoke-token': 'Revokes a service token immediately',
  'save-webhook': 'Creates or changes a webhook',
  'remove-webhook': 'Deletes a webhook with its undelivered events',
  'decide-proof': 'Accepts or refuses an absence proof: a sick note or a shift certificate',
  'accept-payer': 'Records the consent of the holder of a personnel number to pay for another person',
  'exclude-lesson': 'Excludes a past lesson without recorded attendance from the attendance of all participants',
  'include-lesson': 'Includes an excluded lesson in the attendance again',
  'settle-courses': 'Settles courses: records charges, waivers and refunds in the ledger',
  'reprice-course': 'Changes the prices of a course. Prices of existing bookings may fall, but never rise',
  'set-closing':
    'Switches on or off that the portal itself reminds instructors of missing attendance, settles courses whose lists and proofs are complete, and tells those who bill every Friday which courses hold up most money',
  'close-season': 'Freezes the figures of a season',
  'decide-attendance': 'Decides whether the attendance of a person is considered regular',
  'add-entry': 'Adds a goodwill credit, a correction or a write-off to the ledger',
  'create-batch': 'Creates a draft batch for payroll, invoices or refunds',
  'close-batch':
    'Closes a draft batch and finalizes its file. Invoices are sent to the payers by e-mail and to their inbox, or as a letter to people without an e-mail address; entries of courses whose settlement is outdated are left out',
  'answer-batch': 'Records which lines of a batch payroll or the bank accepted and which they returned',
  'mark-paid': 'Records payments of invoices: a single payment, or all payments in a bank statement',
  'cancel-invoice': 'Cancels an unpaid invoice by issuing a cancellation invoice',
  'remind-invoices': 'Sends reminders of unpaid invoices, with the invoice attached',
  'issue-certificates': 'Issues certificates of attendance for a settled course',
  'revoke-certificate': 'Revokes a certificate of attendance',
}

/** Keys that `result` may contain after an action was performed. Actions that are not listed have no result. */
export const ACT_RESULTS: Partial<Record<ActKind, readonly string[]>> = {
  book: ['bookingStatus', 'position'],
  'move-booking': ['bookingStatus', 'position'],
  'create-person': ['webUserId'],
  'invite-person': ['webUserId'],
  'lock-person': ['drafts'],
  'merge-people': ['webUserId', 'stays'],
  'record-attendance': ['recorded'],
  'remind-attendance': ['lessons', 'instructors'],
  'save-message': ['id', 'recipients'],
  'save-eligible': ['unverified', 'verified'],
  'create-course': ['courseId'],
  'add-lesson': ['courseDateId'],
  'set-absence': ['absenceId', 'isNew'],
  'ask-substitutes': ['asked', 'notFree', 'withoutCandidate'],
  'withdraw-substitutes': ['lessons'],
  'set-closure': ['closureId', 'isNew'],
  'create-season': ['seasonId'],
  'copy-season': ['seasonId', 'review'],
  'save-category': ['id'],
  'save-division': ['id'],
  'save-room': ['roomId'],
  'create-rooms': ['roomIds', 'courses', 'lessons'],
  'import-programme': ['counts', 'notes'],
  'save-content': ['id'],
  'save-album': ['id', 'becomesPublic'],
  'save-photo': ['id', 'becomesPublic'],
  'create-token': ['tokenId'],
  'save-webhook': ['webhookId'],
  'decide-proof': ['id', 'effect', 'excused'],
  'settle-courses': ['courses', 'undecided', 'held'],
  'decide-attendance': ['courses'],
  'reprice-course': ['lowered'],
  'add-entry': ['id'],
  'create-batch': ['id', 'count', 'amount'],
  'close-batch': ['id', 'count', 'amount', 'invoices', 'undelivered', 'outdated'],
  'answer-batch': ['accepted', 'returned', 'unread'],
  'mark-paid': ['open'],
  'cancel-invoice': ['number'],
  'remind-invoices': ['dueOn'],
  'issue-certificates': ['certificates'],
}
