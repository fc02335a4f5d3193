import type { Scope } from './scopes.ts'

/** Purpose of each service token scope. */
export const SCOPE_DESCRIPTIONS: Record<Scope, string> = {
  'programme-read': 'reads the programme, drafts included, without people',
  lists: 'reads bookings, and the people and courses that bookings and webhooks name',
  programme: 'reads the programme and changes it by acts',
  bookings: 'changes bookings and people by acts; reads nothing',
  people:
    'SCIM 2.0 of the company’s directory, `/api/scim/v2/Users` (RFC 7643, 7644), which this description leaves out',
}

/** Description of each API endpoint, for client developers. */
export const ENDPOINT_DESCRIPTIONS: Record<string, string> = {
  login:
    'Logs in. Without a valid session, this and every other call but GET needs the header `X-XSRF-TOKEN` with the value of the cookie `XSRF-TOKEN`, which any GET sets',
  checkSession:
    'Checks a stored session, by the header SessionToken or the query; NotFound when the token is unknown, expired or revoked',
  listSessions: 'Where the user is logged in: this session first, then the one used last',
  endOtherSessions: 'Ends all other sessions of the user',
  endSession: 'Ends one session of the user',
  logout: 'Logs out; the token is dead at once',
  changePassword: 'Changes the password and ends all other sessions of the user',
  resetPassword: 'Mails a password that works once within 24 hours; WrongPWorUser when the e-mail is unknown',

  getCompanyLogin: "Whether the company's own login is on, and what its button says",
  startCompanyLogin: "Leads a browser to the company's login",
  returnFromCompany: "Where the company's login sends the browser back to",
  finishCompanyLogin: 'Logs in the browser that came back from the company, or says why not; once',
  leaveCompany: "Leads a browser out of the company's login, too, and back",

  startPasskey:
    'What the browser needs to make a passkey. With rights: by the token of a mailed link, or in a session that a passkey has confirmed; without: within an hour of the login',
  addPasskey: 'Registers the passkey that the browser has made, and confirms the session with it',
  listPasskeys: 'The passkeys of the own account',
  removePasskey: 'Removes a passkey of the own account',
  startPasskeyLogin:
    'What the browser needs to show a passkey: one of the own account in a session, which it confirms; any one to log in',
  showPasskey: 'Logs in with a passkey, or in a session confirms it',

  listDivisions: 'The divisions of the company',
  checkEmailPassword:
    'First step of the registration: Duplicate for a registered e-mail, Failed for an insecure password',
  register: 'Registers a web user and mails the activation link',
  confirmAccount: 'Opens the link of an activation mail, or of the mail to a new e-mail address',
  describeLink: 'What the link of a mail would do, without doing it; NotFound when it is no longer valid',
  undoChange:
    '"This was not me": ends an unproved registration or e-mail change; the link of a notice restores the address, ends all sessions and the password, and mails a new one',
  resendEmail: 'Mails the activation link again; Failed within a minute of the last one',
  getWebUser: 'The profile of the user',
  editWebUser:
    'Saves the profile; a new e-mail counts only after the link sent to it was opened. It needs the present password in `password`, unless the session was started within the hour: else WrongPWorUser, and nothing is saved',
  deleteAccount:
    'Deletes the account of the user and says what stays, why and until when; running bookings have to be cancelled first',

  listConsents:
    'To what the user has consented explicitly (Art. 9 (2) (a) GDPR), the newest first; sick notes have their own',
  giveConsent: 'Records the explicit consent of the user to a version of a text; twice changes nothing',
  endConsent:
    'Withdraws a consent: the insurance number is deleted, or attendance in health courses that are not settled, and no more is recorded',

  exportPersonalData: 'Everything the portal holds about the user',

  listSeasons: 'The seasons that can be seen now',
  listCourses:
    'All courses as a visitor sees them; `view` asks for less: `index` for the list, `texts` for what follows',
  listCoursesOfSession: "All courses with the user's booking state; `view=states` only that state",
  listInstructorCourses: 'The courses that the user teaches; 403 for a user who is no instructor',
  getCourse: 'One course',

  listBookedCourses: 'The courses in which the user has a place or waits for one',
  bookCourse: 'Books a place or a waiting-list spot. Booking twice changes nothing',
  cancelCourse: 'Cancels a place or a waiting-list spot. Cancelling twice changes nothing',

  getCourseDates: 'The dates of a course and who was present on each',
  changePresence:
    'Sets one person present (added) or absent (deleted) on one date. An older change never overwrites a newer one',
  noteDoorGuest: 'Notes somebody who came to a lesson and is not on its list (added), or takes the note back (deleted)',
  completeParticipation: 'Closes (true) or reopens (false) the attendance of a course',
  getParticipantList: 'The participant list as PDF; zero bytes for a user who is no instructor',

  listMessages: "The user's messages, newest first; the session's unread flag is cleared",
  getInboxFile: 'The document of a message; marks the message seen',

  getCourseCalendar:
    'All lessons of a course that the user has booked, waits for (tentative) or teaches, as a calendar file',
  getFeed: "The address of the user's calendar feed",
  createFeed: 'Makes a calendar feed with a new address, and ends the one before',
  endFeed: 'Ends the calendar feed: its address shows nothing any more',
  readFeed:
    'The feed at its secret address, `{token}.ics`: booked, waiting (tentative) and taught lessons, and openings that the person follows; 304 for who has it',

  listPublicCourses: 'The programme for pages of any origin (CORS), without cookies: courses that are not over',
  readPublicCalendar:
    'The lessons to come of `course-{id}.ics` or of all courses of `category-{id}.ics`, to be followed by any calendar',
  readCoursePicture: 'What a course is in one picture of 1200 × 630 px, `{id}.png`, for the preview of its link',
  readOpenActive:
    'The programme as an OpenActive feed (RPDE) of CourseInstance; `next` leads on, to the end and to what changes later',

  listFollows: 'What the user follows, the newest last',
  followThing: 'Follows a course, a category or a season',
  unfollowThing: 'Follows it no longer',
  getReminders: 'Of what the user wants to be told, and how',
  changeReminders: 'Sets of what the user wants to be told, and how',

  getPushKey: 'The public key (VAPID) with which a browser subscribes to pushes',
  subscribePush: "Has pushes sent to this browser: its PushSubscription; a person's ten newest count",
  unsubscribePush: 'Has no more pushes sent to this browser: its PushSubscription, of which the endpoint counts',

  listWebContentItems: 'All content items, by type and sort order',
  listInstructors: 'The profiles of the instructors',
  listPages: 'The pages that the department has written itself; the others show the built-in text',

  listAlbums: 'The public albums',
  listParticipatedAlbums: 'The albums of courses in which the user took part',
  listPhotos: 'The photos of an album',

  performAct:
    'Performs one act of the department, or says what it would do (`preview`). Whatever an act is refused for is HTTP 200, also an unknown id in it. An act that finds everything as it would make it, such as confirming a confirmed course or cancelling a booking that is not there, is `Ok`, leaves `version` as it is and goes on record',
  listOfficeCourses: 'The courses, drafts included, with their counts',
  listOfficeBookings:
    'Bookings with what they are billed by, oldest change first. `cursor` continues later: as `changedSince` it returns the bookings saved since: booked, moved up, cancelled, charged, repriced, moved to another account by a merge. It never misses one that was saved late; one may come twice. What a row takes from elsewhere is as of the reading and makes no row appear: `isVerified`, `isOnPayroll`, `amount` (attendance, settlement), and personnel numbers, `employeeStatus` and `billingType` where the booking was made without them. Read these again by id or as the whole list before you bill. `move-booking`, and booking again after a cancellation, makes a booking with another `bookingId`',
  getOfficeBooking: 'One booking with what it is billed by',
  getOfficeCourse:
    'One course with its lessons. `booked`, `waiting`, `former` and `messages` are empty without the right `bookings`, so always for a service token: that does not mean that nobody booked. Programs read bookings by `listOfficeBookings`',
  listOfficePeople: 'People by name, number or e-mail; an owner without `bookings` sees id, name and e-mail only',
  listRights: 'Who of the department may do what',
  listRooms: 'The rooms',
  listRecord: 'Audit log of the office UI, newest first',
  listOwnReads: 'Who looked at my data: when, by whom, with which call',

  getOfficePerson:
    'One person: state, bookings, documents, letters, rights; an owner without `bookings` sees id, name and e-mail',
  getOfficePersonData: 'Everything the portal holds about a person: the answer to who asks for it',
  listDuplicates: 'Pairs of accounts that may be one person',
  listEligible: 'The HR list, by personnel number',
  listDeskMessages:
    'Drafts, templates and scheduled messages, and the newest messages sent, with the state of their mails',
  listMessageDeliveries: 'The mails of a message: delivered, waiting or refused, one per recipient',
  listLetters: 'Letters that are still to be printed, the oldest first',
  getLetter: 'A letter to somebody without an e-mail address, in their language; it counts as printed from then on',
  getGateList: 'Who has a lesson at a site on a day, for plant security: name, status and billing type, as PDF to sign',
  getGateTable: 'The same list as CSV',
  getOfficeList:
    'A list for a spreadsheet: `bookings.csv`, `waiting.csv`, `participants.csv`, `attendance.csv`, `utilisation.csv` or `hours.csv`, of one season or all; for Excel with `.xlsx` in place of `.csv`',
  readOfficeTable:
    'The rows of a workbook of Excel as a CSV file would have them, for an act that takes rows; of its first sheet with content. Nothing is kept',
  writeOfficeTable: 'A table as a workbook of Excel, in which nothing is a formula. Nothing is kept',
  getUtilisation:
    'How full the courses are: by category, site, weekday (0 Sunday to 6 Saturday) and hour of their lessons',

  getToday: 'What needs somebody of the department now; each part for who has a right to it',

  uploadOfficeFile:
    'Takes a file that an act will use: a picture, a document, or a programme as a zip or a workbook. Gone after a day without one',
  exportProgramme: 'The programme as an import folder, including changes made in the office UI, without people',
  listOfficeContent: 'Content items, albums with their photos, and pages that have a text of their own',

  listOfficeSeasons: 'The seasons, drafts included, with their counts',
  getOfficeGrid:
    'The lessons of some days, at most 62, with their rooms and instructors; `clash` where one is needed twice',
  listAbsenceLessons: 'The lessons that an instructor teaches on some days, each with who is free then and who is not',
  listSeasonChecks: 'Courses of a season that need a look before it is published, with the reasons',
  listFree: 'Rooms and instructors with the number of lessons of a weekly course in which they are taken',
  listOfficeCategories: 'The categories',
  listOfficeDivisions: 'The divisions',
  listOfficeInstructors: 'The instructors and what their cards say',

  listTokens: 'The service tokens; what opens them is not kept',
  listWebhooks: 'Who is told of bookings and courses by a signed call',
  listDeliveries: 'What was sent to a receiver in the last 30 days, the newest first',

  getConfig: 'What the app has to know about this portal',
  getDateTime: 'Server time',
  getHealth: 'Ok when the database answers, else 503; warnings say what an operator should look at',
  getLiveness: 'Ok while the process runs, whatever the database does',
  getReadiness: 'Ok when calls can be served: the database answers and has the schema of this version; else 503',
  reportClientError: 'Reports an unhandled exception of the app',
  getOpenApi: 'This interface as OpenAPI 3.1',
  getDocs: 'This interface as a page to read, with an anchor for each call (`#bookCourse`)',

  listOwnMoney: 'What the courses of the user cost: each ledger entry in words, by season and course, with the balance',
  getCertificateKeys: 'The public keys that verify certificates of attendance, as a JWK set; rotated keys stay',
  getCertificate: 'Whether a certificate of attendance is still valid; names nobody',
  saveIban: 'Where a refund is to be paid; Failed when there is none. Deleted when the payment order is made',
  listOwnProofs: 'The proofs of sickness and shift work that the user has sent, with state and effect',
  addProof:
    'Takes a proof of sickness or shift work as PDF, JPEG, PNG or HEIC up to 10 MB; the department decides on it',
  deleteProof: 'Withdraws a proof that is not decided yet',
  withdrawConsent:
    'Withdraws the consent to the processing of a sick note: its file is deleted, a decision made before stays',
  getOfficeMoney:
    'Totals, courses to settle, outdated settlements, people to decide on and amounts that are held, of a season or of all',
  listHeld: 'Who owes an amount that cannot be billed yet, with the cause, or those of one cause',
  listLedger: 'The entries of the ledger, of a person or a course or of all',
  getSettlement:
    'What settling a course charges each person, with the facts it used; `settlement` counts how often it was settled',
  listOfficeProofs: 'Proofs of sickness and shift work, to decide on and decided',
  getProofFile: 'The file of a proof; deleted four weeks after the decision',
  listBatches: 'The batches of payroll, invoices and refunds, drafts included',
  getBatch: 'A batch with its lines; of a draft, what closing it now would fix',
  getBatchFile:
    'The file of a closed batch, the same bytes each time: CSV or workbook for payroll, a zip of PDFs for invoices; of refunds a CSV, and until it is answered the payment order (pain.001)',
  listInvoices: 'The invoices in the order of their numbers, or the unpaid ones, with what is paid',
  getInvoicePdf: 'An invoice as PDF: NUMBER.pdf',
  getReport: 'The figures of a season, frozen once it is closed; `against` names a season to compare the bookings with',
}
