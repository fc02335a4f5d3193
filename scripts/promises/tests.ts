/** Tests that prove the promises made in the texts, as `file › title`. */
export const PROMISE_TESTS = {
  accountDeleted:
    'server/features/accounts/deletion.test.ts › past courses keep a number without a person, paid ones a record of what accounting needs',
  accountDownloaded: 'e2e/edit-profile.spec.ts › a user exports all personal data and deletes the account',
  activation:
    'server/features/accounts/registration.test.ts › a registered person gets in once the mailed link was opened, also a second time',
  activationAgain:
    'server/features/accounts/registration.test.ts › the activation mail comes again, once a minute, to who needs it',
  albumsOffline:
    'e2e/open-albums-offline.spec.ts › opened albums are available offline with all photos and labelled in the list; missing photos show a notice',
  attendanceConsent:
    'server/features/accounts/consents.test.ts › without consent to attendance in health courses what is not settled is deleted, and no more is recorded',
  attendanceCounts:
    'server/features/attendance/routes.test.ts › the list shows who has a place, date by date, with recalculated counts',
  billingChoices: 'contract/profile-rules.test.ts › each group has its billing choices',
  bookedUnderMyCourses:
    'e2e/book-a-course.spec.ts › a free course is booked, appears under my courses and is cancelled',
  bookingBinds:
    'e2e/book-a-course.spec.ts › a paid course requires one confirmation with first lesson, price and deadline; the button says it is binding',
  bookingConsent: 'e2e/give-consent.spec.ts › the first booking of a health course asks for consent only once',
  bookingMail:
    'server/features/bookings/routes.test.ts › a place is booked, confirmed by one mail, and can be seen everywhere',
  certificate:
    'server/features/certificates/certificates.test.ts › settling issues certificates to insured members with 80 % present, as PDF in the inbox; excused lessons do not help',
  certificateOnRequest:
    'server/features/certificates/certificates.test.ts › anybody gets one on request, once; its state names nobody',
  certificateShare: 'server/features/certificates/certificates.test.ts › the share is a setting of the course',
  certificateVerified:
    'e2e/verify-a-certificate.spec.ts › a certificate is verified from its QR code, also offline, and a modified one is rejected',
  chargeWithin:
    'server/features/office-programme/charges.test.ts › anything but no charge within the free days needs a reason, and no text claims that they are over',
  chargeLate:
    'server/features/acts/acts.test.ts › frees the place, promotes, keeps the charge, and late takes a reason',
  clashesAndHolidays:
    'server/features/office-programme/courses.test.ts › on one day that is a holiday takes a reason, and so does a room that is taken',
  closing: 'server/features/bookings/routes.test.ts › after the last date',
  countdown:
    'e2e/book-a-course.spec.ts › a countdown runs until booking opens, and the button is then enabled automatically',
  consentsShown:
    'e2e/give-consent.spec.ts › the profile shows consents, and missing ones can be given there and existing ones withdrawn',
  consentWithdrawn:
    'server/features/money/own-money.test.ts › the consent to a sick note is recorded with its text, and withdrawing it deletes the file, not the decision',
  courseAlbums:
    'server/features/gallery/routes.test.ts › the photos of a private album are for its participants and its instructor',
  courseCancelled:
    'server/features/office-programme/lessons.test.ts › a cancelled course ends all bookings, refuses new ones, and opens again',
  detailsDates: 'e2e/read-the-list.spec.ts › the details show all data of a course, and its dates can be expanded',
  courseFields: 'server/features/courses/routes.test.ts › a course travels with every field in its place',
  dataMap: 'server/db/data-map.test.ts › nothing in the database is undeclared, and nothing declared is missing',
  dataMapShown: 'src/features/pages/data-map-model.test.ts › figures and laws match the data map',
  departmentOnly:
    'server/test/contract-rights.test.ts › is 403 for everyone outside the department, whatever they send',
  deviceMap: 'e2e/leave-no-names.spec.ts › the device stores only data that the data map declares',
  divisionMissing: 'server/features/session/login.test.ts › the division is asked for where the group has one',
  errorReports:
    'server/features/system/routes.test.ts › an error of the app is logged without tokens and addresses, and never more than 20 at once',
  externalFee: 'server/features/courses/rules.test.ts › externals pay what the import says, else 15 euros more',
  externals: 'server/features/bookings/policy.test.ts › only externals never wait and pay the external fee',
  flyersOffline:
    'e2e/read-flyers-offline.spec.ts › after one visit the flyers of the selected language are available offline; a missing one shows a notice',
  foreignOrigins:
    'server/http/security-headers.test.ts › scripts, connections and forms are restricted to the portal’s origin, and it cannot be framed',
  freeDays:
    'server/features/courses/routes.test.ts › the place can be given back until the end of the fifth working day',
  gateList:
    'server/features/office-people/plant-security-list.test.ts › the gate list has name, status and billing type of who has a lesson there, each once, and nothing else',
  groupData:
    'server/features/accounts/profile.test.ts › what a change of group leaves behind is gone, and the billing type follows',
  groupFields: 'contract/profile-rules.test.ts › every field is required, optional or absent as specified',
  guesses:
    'server/features/session/guesses.test.ts › a known browser has five guesses of its own, and takes none from others',
  holidays: 'server/import/schedule.test.ts › generates one date per week, without holidays of the region',
  https: 'server/http/security-headers.test.ts › HSTS is sent only if clients reach the portal over HTTPS',
  institute:
    'src/features/courses/components/course-facts.test.tsx › a certified course shows its test institute, any other course does not',
  inbox: "server/features/inbox/routes.test.ts › a person's messages come newest first and are nobody else's",
  installable:
    'e2e/install-the-app.spec.ts › the app fulfils the browser’s criteria for installation, in both languages',
  instructorNumbers:
    'server/test/contract-privacy.test.ts › %s shows instructors no participant’s personnel number, phone or address, nor does its log',
  insuranceConsent:
    'server/features/accounts/consents.test.ts › entering an insurance number records the consent with its text, and withdrawing it deletes the number',
  insuranceNumber:
    'server/features/office-people/insurance-number.test.ts › only who does the billing reads the number of the health insurance',
  lateJoiner:
    'server/features/bookings/policy.test.ts › nobody is bound without a lesson to try, and nobody is told a day that has passed',
  lessonAdded:
    'server/features/office-programme/lessons.test.ts › an added lesson clashes in a room that is not shared, and is told',
  lessonCancelled:
    'server/features/office-programme/lessons.test.ts › a cancelled lesson is told once to the booked and the instructor, leaves the dates and stands among the changes',
  lessonMoved:
    'server/features/office-programme/lessons.test.ts › a lesson moves, gets a room and a substitute, and nobody’s deadline becomes earlier',
  loggedAddresses: 'server/http/request-log.test.ts › %s is logged as %s',
  login: 'server/features/session/login.test.ts › an account that is not activated says so only to its owner',
  mailFiles:
    'server/mail/mail-folder.test.ts › a mail file is deleted with its row and an abandoned draft after an hour, and nothing else',
  mailSecrets:
    'server/mail/mail-secret-cache.test.ts › a mailed password is nowhere in the database or its write-ahead log',
  mailedPassword:
    'server/features/session/password.test.ts › a mailed password works once, and disables the old one only then',
  mailedPasswordEnds:
    'server/features/session/password.test.ts › a mailed password ends after 24 hours, with the next one, and with a change of password',
  meeting:
    'server/features/courses/routes.test.ts › the meeting is for people with a place and for the instructor of the course only',
  namesEnd:
    'server/features/attendance/names-end.test.ts › until 8 weeks after the last lesson the instructor sees who took the course',
  namesOnDevice:
    'e2e/leave-no-names.spec.ts › names are deleted 48 hours after the date in server time, whatever the device clock shows offline',
  namesOnLogout:
    'e2e/leave-no-names.spec.ts › names are deleted at logout, and at a start without the session that loaded them',
  offlineShown: 'e2e/read-the-pages.spec.ts › after one visit every page is available offline, and so is a saved flyer',
  onlineOnly: 'server/features/bookings/routes.test.ts › a hall for a division that joins online only',
  opening: 'server/features/bookings/routes.test.ts › booking opens at the opening moment and not before',
  order: 'server/features/bookings/service.test.ts › whatever people do, places go in the order of booking',
  participantList:
    'server/features/attendance/participant-list.test.ts › the list holds the course, its participants with status and billing, and their presence',
  passwordChanged:
    'server/features/session/password.test.ts › a new password ends all other sessions, and a mail tells',
  passwordGuessable:
    'server/features/session/password.test.ts › of a thousand passwords that everybody thinks of two in a hundred pass at most, seed %i',
  passwordHash: 'server/features/session/login.test.ts › a hash of weaker parameters is renewed by the next login',
  passwordRule: 'src/i18n/password-rule.test.ts › one sentence says the rule of passwords everywhere: %s',
  payroll: 'server/features/office-people/people.test.ts › verifies who is on it, and holds the rest back from payroll',
  price: 'server/features/bookings/prices.test.ts › costs each group the same on every way to it, however it is billed',
  profile: 'e2e/edit-profile.spec.ts › a user changes to every group, and the profile is saved each time',
  programmeOffline:
    'e2e/offline-programme.spec.ts › after one visit the whole programme is available offline: list, search and any course by its URL',
  promotion:
    'server/features/bookings/routes.test.ts › a freed place goes to the first who waits, with a mail and a message in their language',
  pushContents:
    'server/queue/push-transport.test.ts › a browser can decrypt the push message, which names neither person nor course and is sent once',
  retention: 'server/jobs/retention.test.ts › are deleted one second after the limit, and a second run finds nothing',
  retentionMap: 'server/jobs/retention-map.test.ts › no data outlives its retention period',
  search:
    'e2e/find-a-course.spec.ts › courses are found in any spelling, narrowed by filters, and the search can be shared by its URL',
  proofConsent:
    'e2e/read-own-costs.spec.ts › a user sees the cost of a course and why it is open, and uploads and deletes a sick note',
  proofSeenBy: 'server/test/contract-rights.test.ts › is 403 for everyone outside the department, whatever they send',
  lessonMadeUp:
    'server/features/money/rules.test.ts › added lessons make up for cancelled ones, and never raise the price',
  ownCosts:
    'server/features/money/own-money.test.ts › a course that is not settled is open with the agreed amounts, which the balance leaves out until then',
  secrets:
    'server/features/session/secrets.test.ts › no token and no password is ever logged, also when the database fails, nor stored as it is',
  shiftProof: 'server/features/money/rules.test.ts › a shift proof needs more than half of the lessons',
  sickNotes: 'server/features/money/rules.test.ts › two notes whose gap has no working day are one span',
  lessonRefund:
    'server/features/money/rules.test.ts › a refund is rounded up to the cent in the person’s favour, apart for fee and energy',
  payerConsent:
    'server/features/office-money/batch.test.ts › payroll: held amounts have their cause, a closed batch keeps its bytes, returned lines are held and go again',
  seasonBills: 'server/test/season/settlement.ts › the ledger, line by line',
  seasonFreeDays: 'server/test/season/autumn.ts › 6 October: the last day to cancel, to the minute',
  statusKept:
    'server/features/bookings/booking-facts.test.ts › a change of status leaves what was booked as it was: price, rule, status and number',
  teachers: 'server/test/contract-rights.test.ts › is 403 for a participant and for an instructor of another course',
  tickOrder:
    'server/features/attendance/service.test.ts › in whatever order, how often and beside what changes arrive, the newest per person and date counts',
  tickTime:
    'server/jobs/retention.test.ts › attendance timestamps keep the day and the order, and an older change that arrives late does not overwrite',
  ticksOnDevice:
    'e2e/engines/record-without-signal.spec.ts › attendance changes made offline survive reloads, back navigation and suspension, and are sent on reconnecting',
  tooYoung: 'server/features/bookings/routes.test.ts › an insurer member under 16',
  waitingLeft: 'server/features/bookings/routes.test.ts › waiting people may leave at any time',
  waitingList:
    'server/features/bookings/routes.test.ts › a full course gives waiting-list spots in order, each with a mail',
  waiver:
    'server/features/bookings/routes.test.ts › a fee that regular attendance earns is waived once the course is over or closed',
  workingDays: 'server/features/bookings/deadlines.test.ts › books before the start, Christmas in the free days',
} as const
export type TestName = keyof typeof PROMISE_TESTS

/** Promises that are not implemented. Entries may only be removed. */
export const NOT_IMPLEMENTED: Record<string, string> = {}
export type MissingFeature = keyof typeof NOT_IMPLEMENTED
