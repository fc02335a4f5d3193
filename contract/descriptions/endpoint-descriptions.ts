import type { Scope } from '../values.ts'

/** Purpose of each service token scope. */
export const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  'programme-read': 'read access to the programme, including drafts, without participants',
  lists: 'read access to bookings, and to the people and courses that bookings and webhooks refer to',
  health: 'health insurance numbers in the lists, in addition to `lists`',
  programme: 'read access to the programme, and changes to the programme through office actions',
  bookings: 'changes to bookings and people through office actions; no read access',
  people:
    'synchronization of the company’s directory by SCIM 2.0 (RFC 7643, RFC 7644) at `/api/scim/v2/Users`, which is not part of this description',
}

/** Description of each API endpoint, for client developers. */
export const ENDPOINT_DESCRIPTIONS: Record<string, string> = {
  login:
    'Logs in with a password. Without a valid session, this and every other request except GET requires the header `X-XSRF-TOKEN` with the value of the cookie `XSRF-TOKEN`, which is set by any GET request',
  checkSession:
    'Returns the session with the token in the header `SessionToken` or in the query; `NotFound` if the token is unknown, expired or revoked',
  listSessions: 'Lists the sessions of the user: the current session first, then by last use, latest first',
  endOtherSessions: 'Ends all sessions of the user except the current one',
  endSession: 'Ends one session of the user',
  logout: 'Ends the current session; its token becomes invalid immediately',
  changePassword: 'Changes the password and ends all other sessions of the user',
  resetPassword:
    'Sends an e-mail with a single-use password that is valid for 24 hours; `WrongPWorUser` if the e-mail address is not registered',

  getCompanyLogin: 'Returns whether single sign-on of the company is enabled, and the label of its login button',
  startCompanyLogin: 'Redirects the browser to the single sign-on provider of the company',
  returnFromCompany: 'Redirect URI to which the single sign-on provider returns the browser',
  finishCompanyLogin:
    'Opens the session after the return from the single sign-on provider, or returns why the login was refused. The outcome can be retrieved once',
  leaveCompany:
    'Redirects the browser to the single sign-on provider, which ends its session and returns the browser to the portal',

  startPasskey:
    'Returns the WebAuthn options for the registration of a passkey. A user with rights in the office UI needs the token of an e-mailed link or a session confirmed by a passkey; any other user must have logged in within the past hour',
  addPasskey:
    'Registers the passkey that the browser has created; if the passkey is accepted for the office UI, also confirms the session',
  listPasskeys: 'Lists the passkeys of the user',
  removePasskey: 'Removes a passkey of the user',
  startPasskeyLogin:
    'Returns the WebAuthn options for authentication: in a session, for a passkey of the user, to confirm the session; otherwise, for any passkey, to log in',
  showPasskey: 'Logs in with a passkey; in a session, confirms the session with the passkey',

  listDivisions: 'Lists the divisions of the company',
  checkEmailPassword:
    'Checks e-mail address and password before the registration: `Duplicate` if the e-mail address is registered, `Failed` if the password is insecure',
  register: 'Registers a user and sends the activation link by e-mail',
  confirmAccount: 'Activates an account or confirms a new e-mail address with the token of the e-mailed link',
  describeLink: 'Returns the purpose of an e-mailed link without any effect; `NotFound` if the link is no longer valid',
  undoChange:
    'Handles the link "this was not me" in an e-mail. Cancels a registration or a change of the e-mail address that is not confirmed yet; for a security notice, restores the e-mail address, ends all sessions, revokes the password and sends a new one by e-mail',
  resendEmail: 'Sends the activation link again; `Failed` within a minute of the previous e-mail',
  getWebUser: 'Returns the profile of the user',
  editWebUser:
    'Saves the profile. A new e-mail address takes effect only after the link sent to it was opened. A change of the e-mail address requires the current password in `password`, unless the session was started within the past hour; otherwise the call returns `WrongPWorUser` and saves nothing',
  deleteAccount:
    'Deletes the account of the user, and returns which data is retained, why, and until when. Current bookings must be cancelled first',

  listConsents:
    'Lists the explicit consents of the user (Art. 9 (2) (a) GDPR), newest first; consents to sick notes are part of the proofs',
  giveConsent: 'Records the explicit consent of the user to a version of a text. Idempotent',
  endConsent:
    'Withdraws a consent. Deletes the insurance number, or the attendance in health courses that are not settled yet, and stops recording these data',

  exportPersonalData: 'Returns all data that is stored about the user',

  listSeasons: 'Lists the seasons that are currently visible',
  listCourses: 'Lists all courses as seen by a visitor',
  listCoursesOfSession: 'Lists all courses with the booking state of the user',
  listInstructorCourses: 'Lists the courses that the user teaches; 403 if the user is not an instructor',
  getCourse: 'Returns a course',
  getBookingOrder:
    'Returns the published order of a season’s booking requests, without names: requests and Merkle root (RFC 9162, SHA-256) of each course, a digest of the roots by ascending course id, and the requests of the first seconds; 404 if it is not published',
  getBookingOrderHashes:
    'Lists the hashes of all requests in a published order, one line `course id, number, hash` each, from which the roots can be recomputed',
  getOwnRequest:
    'Returns the number of the user’s request in the order of the course, with the Merkle path that proves it if the order is published. `request` is null if the user has no active booking',
  getWaitingOdds:
    'Returns how many people got a seat who had the position of the user on waiting lists of past courses of the same category. `odds` is null if the user is not waiting, or with fewer than 20 past entries or 5 people',

  listBookedCourses:
    'Lists the courses in which the user has a seat or is on the waiting list, and for 14 days those that were cancelled until the user has opened their page',
  bookCourse: 'Books a seat or joins the waiting list. Idempotent',
  announceAbsence:
    'Announces to the instructor that the user cannot attend a lesson, or withdraws it, and frees the place of this lesson for others. Seat, price and attendance stay as they are. Does not apply while the lesson is on another day. Idempotent',
  listLessonPlaces:
    'Lists the lessons of which the user is a guest, and those with a freed place that the user may take now',
  changeLessonPlace:
    'Takes the place of a lesson that somebody has freed, as a guest of that lesson, or returns it. The first one has it. Idempotent',
  cancelCourse: 'Cancels the booking or leaves the waiting list. Idempotent',

  getCourseDates: 'Returns the lessons of a course, with the attendance recorded for each of them',
  changePresence:
    'Records a participant as present (`added`) or absent (`deleted`) in a lesson. An older change never overwrites a newer one',
  noteDoorGuest:
    'Records a walk-in guest, who attends a lesson without being on its list (`added`), or withdraws the record (`deleted`)',
  completeParticipation: 'Completes (`true`) or reopens (`false`) the attendance list of a course',
  getParticipantList:
    'Returns the participant list as PDF; the file is empty (zero bytes) if the user is not an instructor',

  listMessages: 'Lists the messages of the user, newest first, and resets `hasUnreadMessages` of the session',
  getInboxFile: 'Returns the document of a message and marks the message as read',

  getCourseCalendar:
    'Returns all lessons of a course as an iCalendar file. The user must have booked the course, be on its waiting list (lessons are tentative) or teach it',
  getFeed: 'Returns the URL of the calendar feed of the user',
  createFeed: 'Creates a calendar feed with a new URL, and deletes the previous feed',
  endFeed: 'Deletes the calendar feed; its URL becomes invalid',
  readFeed:
    'Returns the calendar feed at its secret URL, `{token}.ics`: lessons that the person has booked, waits for (tentative) or teaches, and the start of booking of what the person follows. Supports conditional requests (304)',

  listPublicCourses: 'Lists the courses that are not over, for web pages of any origin (CORS), without cookies',
  readPublicCalendar:
    'Returns the future lessons of one course (`course-{id}.ics`) or of all courses of a category (`category-{id}.ics`), as an iCalendar feed to subscribe to',
  readCoursePicture: 'Returns the preview picture for links to a course, `{id}.png`, 1200 × 630 px',
  readOpenActive:
    'Returns the programme as an OpenActive feed (RPDE) of CourseInstance items. `next` is the URL of the next page; on the last page, of later changes',

  listFollows: 'Lists the courses, categories and seasons that the user follows, newest last',
  followThing: 'Follows a course, a category or a season',
  unfollowThing: 'Stops following a course, a category or a season',
  getReminders: 'Returns the notification settings of the user: the channels for each kind of reminder',
  changeReminders: 'Replaces the notification settings of the user',

  getPushKey: 'Returns the public VAPID key with which a browser subscribes to push messages',
  subscribePush:
    'Registers the PushSubscription of a browser for push messages. Only the ten newest subscriptions of a person are stored',
  unsubscribePush: 'Removes the PushSubscription of a browser, which is identified by its `endpoint`',

  listWebContentItems: 'Lists all content items, by type and sort order',
  listInstructors: 'Lists the profiles of the instructors',
  listPages: 'Lists the pages whose text the department has written; all other pages show the built-in text',

  listAlbums: 'Lists the public albums',
  listParticipatedAlbums: 'Lists the albums of the courses in which the user has a seat or was present at a lesson',
  listPhotos: 'Lists the photos of an album',

  performAct:
    'Performs an office action, or previews its effects (`preview`). An action that is refused returns HTTP 200, even if the body contains an unknown id. An action that changes nothing, such as confirming a confirmed course or cancelling a booking that does not exist, returns `Ok`, leaves `version` unchanged and is recorded in the audit log',
  listOfficeCourses:
    'Lists the courses, including drafts, with the numbers of their seats, bookings and waiting-list entries',
  listOfficeBookings:
    'Lists bookings with their billing data, oldest change first unless `newest` is set. To continue later, send `cursor` as `changedSince`: the response contains the bookings that were saved since, because they were made, promoted from the waiting list, cancelled, charged, repriced, or reassigned to another account by a merge. No booking is omitted, even if its transaction committed late; a booking may be returned twice. Fields from other tables have the value at the time of the request, and their changes do not return the booking again: `isVerified`, `isOnPayroll`, `amount` (attendance, settlement), and the personnel numbers, `employeeStatus` and `billingType` of bookings that were made without them. Before billing, read these fields again by id or as the whole list. `move-booking`, and booking again after a cancellation, create a booking with another `bookingId`',
  getOfficeBooking: 'Returns a booking with its billing data',
  getLessonAttendance: 'Returns the participants of a lesson with their recorded attendance',
  getOfficeCourse:
    'Returns a course with its lessons. `booked`, `waiting`, `former` and `messages` are empty without the right `bookings`, and therefore always for a service token; that does not mean that there are no bookings. API clients read bookings with `listOfficeBookings`',
  listOfficePeople:
    'Lists people, optionally filtered by name, number or e-mail address; without the right `bookings`, an owner receives id, name and e-mail address only',
  listRights: 'Lists the people of the department with their rights',
  listRooms: 'Lists the rooms',
  listRecord: 'Lists the entries of the audit log, newest first',
  listOwnReads: 'Lists the accesses to the personal data of the user: time, role or name of the reader, and call',

  getOfficePerson:
    'Returns a person with state, bookings, documents, letters and rights; without the right `bookings`, an owner receives id, name and e-mail address only',
  listTimeline:
    'Lists what happened to a person, newest first: acts, calls, e-mails, letters, messages, bookings and, with the right `billing`, ledger entries',
  getOfficePersonData: 'Returns all data that is stored about a person, to answer an access request of the person',
  listDuplicates: 'Lists pairs of accounts that may belong to the same person',
  listEligible: 'Lists the entries of the HR list, by personnel number',
  listDeskMessages:
    'Lists drafts, templates and scheduled messages, and the latest messages sent, with the delivery state of their e-mails',
  listMessageDeliveries: 'Lists the e-mails of a message, one per recipient: delivered, waiting or refused',
  listLetters: 'Lists the letters that are not printed yet, oldest first',
  getLetter:
    'Returns a letter to a person without an e-mail address as PDF, in the language of the person, and marks the letter as printed',
  listCourseTemplates: 'Lists the course templates: named values with which the form for a new course can be filled',
  getRoomSheets:
    'Returns a PDF for the doors of the rooms with a page for each room and day: courses, times and instructors of published seasons, and what is cancelled',
  getGateList:
    'Returns the site access list for plant security as a PDF with a signature column: people who have a lesson at a site on a day, with name, status and billing type',
  getGateTable: 'Returns the site access list as CSV',
  getOfficeList:
    'Returns a list of one season or of all seasons as CSV: `bookings.csv`, `waiting.csv`, `participants.csv`, `attendance.csv`, `utilisation.csv`, `hours.csv` or `timesheet.csv` (the hours by instructor and month); with the extension `.xlsx`, as an Excel workbook',
  readOfficeTable:
    'Converts an Excel workbook or a CSV file (`.csv`, `.txt`) to rows for an action that takes rows. Reads the first visible sheet that is not empty; the values are formatted as in CSV. The file is not stored',
  writeOfficeTable: 'Converts a table to an Excel workbook without formulas. The data is not stored',
  listOddsOutcomes:
    'Compares the odds on waiting lists at the start of a season with its outcome, by category and position',
  getUtilisation:
    'Returns the utilisation of the courses by category, site, and weekday (0 Sunday to 6 Saturday) and hour of their lessons',

  getToday:
    'Returns the tasks that require action by the department, limited to those that the rights of the user permit',

  uploadOfficeFile:
    'Uploads a file for an action: a picture, a document, or a programme as a zip file or workbook. A file that no action uses is deleted after a day',
  exportProgramme:
    'Returns the programme as a zip file in the format of the import, including changes made in the office UI, without participants',
  listOfficeContent: 'Lists content items, albums with their photos, and pages whose text the department has written',

  listOfficeSeasons:
    'Lists the seasons, including drafts, with the numbers of their courses, seats, bookings and waiting-list entries',
  getOfficeGrid:
    'Returns the lessons of at most 62 days with their rooms and instructors; `clash` marks lessons that need the same room or instructor at the same time',
  listClosureLessons:
    'Lists the lessons that a closure of rooms or of a site would affect, with the rooms that are free at the time of each',
  listAbsenceLessons:
    'Lists the lessons of an instructor in a period, with the instructors who are available and those who are not at the time of each lesson',
  listSubstituteCandidates:
    'Lists future lessons with the instructors who are available as substitutes and those who are not at the time of each lesson',
  listSubstituteRequests:
    'Lists the lessons that the user, or the holder of the link in the e-mail, is asked to teach as a substitute; the response contains no names of people',
  answerSubstituteRequest:
    'Accepts or declines lessons as a substitute. The first to accept gets the lesson; `Failed` if none of the lessons is open any more',
  listSeasonChecks: 'Lists the courses of a season that are not over and lack something or overlap, with the reasons',
  rehearseOpening:
    'Books the demand of an earlier season in a draft season and rolls everything back: when each course would be full, how many people would have no place, and what one more course would give. Only one rehearsal runs at a time: 503. 409 if the season is not a draft',
  listFree:
    'Lists rooms and instructors with the number of lessons of a weekly course for which they are already taken',
  listOfficeCategories: 'Lists the categories',
  listOfficeDivisions: 'Lists the divisions',
  listOfficeInstructors: 'Lists the instructors with their profiles',

  listTokens: 'Lists the service tokens without their secrets, which are not stored',
  listWebhooks: 'Lists the webhooks, which send events about bookings and courses in signed requests',
  listDeliveries: 'Lists the events of a webhook from the past 30 days, newest first',

  getConfig: 'Returns the settings of the portal that the app requires',
  getDateTime: 'Returns the time of the server',
  getHealth:
    'Returns `Ok` if the database responds, otherwise 503; `warnings` contains conditions that require the attention of an operator',
  getLiveness: 'Returns `Ok` while the process runs, regardless of the database',
  getReadiness:
    'Returns `Ok` if requests can be served: the database responds and has the schema of this version; otherwise 503',
  reportClientError: 'Reports an unhandled exception of the app',
  getOpenApi: 'Returns the description of this API as OpenAPI 3.1',
  getDocs: 'Returns the documentation of this API as an HTML page with an anchor for each call (`#bookCourse`)',

  getOwnInvoice: 'Returns an invoice to the user as PDF, `{number}.pdf`',
  listOwnMoney:
    'Returns the costs of the courses of the user: all ledger entries by season and course, each with a text, and the balance',
  getCertificateKeys:
    'Returns the public keys that verify certificates of attendance as a JWK set, including rotated keys',
  getCertificate: 'Returns whether a certificate of attendance is still valid, without naming the person',
  saveIban:
    'Saves the bank account for a refund; `Failed` if no refund is due. The IBAN is deleted when the payment order is created',
  listOwnProofs: 'Lists the proofs of sickness and shift work that the user has sent, with state and effect',
  addProof:
    'Uploads a proof of sickness or shift work as PDF, JPEG, PNG or HEIC of at most 10 MB; the department decides on it',
  deleteProof: 'Withdraws a proof that is not decided yet',
  withdrawConsent:
    'Withdraws the consent to the processing of a sick note: its file is deleted, a decision already made is retained',
  listClosing:
    'Lists the courses of a season that are over and not finished: from the complete attendance list to the certificates, which steps are done, who has to act and how much money waits',
  getOfficeMoney:
    'Returns totals, courses to settle, outdated settlements, courses with people to decide on, and amounts that cannot be billed yet, of one season or of all seasons',
  listSettlements:
    'Lists the settled courses with their last settlement, its people and its amount; optionally of one season',
  listHeld:
    'Lists the people who owe an amount that cannot be billed yet, with the cause; optionally for one cause, or of one season’s courses',
  listLedger: 'Lists the entries of the ledger, optionally of one person or course',
  getSettlement:
    'Returns the amounts that each person would be charged if the course were settled now, with the data on which they are based; `settlement` is the number of times that the course was settled',
  listOfficeProofs: 'Lists the proofs of sickness and shift work, both undecided and decided',
  getProofFile: 'Returns the file of a proof, which is deleted four weeks after the decision',
  listBatches: 'Lists the batches of payroll, invoices, refunds and accounting, including drafts',
  getBatch: 'Returns a batch with its lines; for a draft, the lines that closing it now would include',
  getBatchFile:
    'Returns the file of a closed batch, with identical bytes in each response: a CSV file or workbook for payroll, a zip file of PDFs for invoices, and a CSV file for refunds and accounting (DATEV-Format Buchungsstapel). For refunds, also the payment order (pain.001) until the batch is answered (`answer-batch`)',
  listInvoices: 'Lists the invoices by number, with the amount paid; optionally only unpaid invoices',
  getInvoicePdf: 'Returns an invoice as PDF, `{number}.pdf`',
  getReport:
    'Returns the figures of a season, which are frozen when the season is closed; `against` selects a season to compare the bookings with',
}
