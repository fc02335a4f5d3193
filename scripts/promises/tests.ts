/** Tests that prove the promises made in the texts, as `file › title`. */
export const PROMISE_TESTS = {
  accessLog:
    'server/features/access-log/access-log.test.ts › participants of a course are shown with the bookings permission, and each participant can see the access',
  accountDeleted:
    'server/features/accounts/deletion.test.ts › past courses keep attendance without a name, and paid ones a billing record',
  accountDownloaded: 'e2e/edit-profile.spec.ts › a user exports all personal data and deletes the account',
  activation:
    'server/features/accounts/registration.test.ts › opening the activation link enables the login, and opening it again returns Ok',
  activationAgain:
    'server/features/accounts/registration.test.ts › the activation e-mail is sent again at most once a minute, and only to inactive accounts',
  albumsOffline:
    'e2e/open-albums-offline.spec.ts › opened albums are available offline with all photos and labelled in the list; missing photos show a notice',
  attendanceConsent:
    'server/features/accounts/consents.test.ts › withdrawing consent to attendance in health courses deletes unsettled attendance and stops recording',
  attendanceCounts:
    'server/features/attendance/routes.test.ts › the list shows the booked participants date by date, with recalculated counts',
  billingChoices: 'contract/rules/profile-rules.test.ts › each group has its own selectable billing types',
  bookedUnderMyCourses:
    'e2e/book-a-course.spec.ts › a free course is booked, appears under my courses and is cancelled',
  bookingBinds:
    'e2e/book-a-course.spec.ts › a paid course requires one confirmation with first lesson, price and deadline; the button says it is binding',
  bookingConsent: 'e2e/give-consent.spec.ts › the first booking of a health course asks for consent only once',
  bookingMail:
    'server/features/bookings/routes.test.ts › a seat is booked, confirmed by one e-mail, and visible everywhere',
  auditLog: 'server/office/acts/acts.test.ts › the audit finds changes to the audit log made in the database',
  certificate:
    'server/features/certificates/certificates.test.ts › settling sends PDF certificates to insured members with 80 % attendance, not including excused lessons',
  certificateOnRequest:
    'server/features/certificates/certificates.test.ts › a certificate is issued once on request for any group, and its public state contains no name',
  certificateShare:
    'server/features/certificates/certificates.test.ts › the required share of lessons is a setting of the course',
  certificateVerified:
    'e2e/verify-a-certificate.spec.ts › a certificate is verified from its QR code, also offline, and a modified one is rejected',
  chargeWithin:
    'server/office/programme/charges.test.ts › a charge within the free days requires a reason, and no text claims that they are over',
  chargeLate:
    'server/office/acts/acts.test.ts › frees the seat, promotes from the waiting list, stores the charge, and requires a reason after the deadline',
  clashesAndHolidays:
    'server/office/programme/courses.test.ts › on a single day that is a holiday requires a reason, as does an occupied room',
  closing: 'server/features/bookings/routes.test.ts › after the last date',
  countdown:
    'e2e/book-a-course.spec.ts › a countdown runs until booking opens, and the button is then enabled automatically',
  consentsShown:
    'e2e/give-consent.spec.ts › the profile shows consents, and missing ones can be given there and existing ones withdrawn',
  consentWithdrawn:
    'server/features/money/own-money.test.ts › consent to a sick note is recorded with its text, and withdrawing it deletes the file, not the decision',
  courseAlbums:
    'server/features/gallery/routes.test.ts › only the participants and the instructor of the course can list the photos of a private album',
  courseCancelled:
    'server/office/programme/lessons.test.ts › cancelling a course ends all bookings and prevents new ones until it is restored',
  detailsDates: 'e2e/read-the-list.spec.ts › the details show all data of a course, and its dates can be expanded',
  courseFields: 'server/features/courses/routes.test.ts › a course is returned with all its fields',
  dataMap:
    'server/platform/db/data-map.test.ts › every table and column of the database is in the data map, and vice versa',
  dataMapShown:
    'src/features/pages/data-map-model.test.ts › retention periods and legal bases are shown as declared in the data map',
  departmentOnly: 'server/test/contract-rights.test.ts › is 403 for everyone outside the department, for any request',
  deskPasskey:
    'server/features/session/passkeys.test.ts › requires confirmation again after 15 minutes without an action or a tap; polling does not extend them',
  deviceMap: 'e2e/leave-no-names.spec.ts › the device stores only data that the data map declares',
  deletedAgain:
    'server/operations/backup/restore.test.ts › account ids are never reused, so a deleted account stays deleted after two restores',
  divisionMissing: 'server/features/session/login.test.ts › a missing division is requested if the group has one',
  errorReports:
    'server/features/system/routes.test.ts › an error of the app is logged without tokens and addresses, at most 20 in a burst',
  externalFee:
    'server/features/courses/rules.test.ts › external participants pay the imported external fee, otherwise 15 euros more',
  externals:
    'server/features/bookings/policy.test.ts › only external participants are excluded from the waiting list and pay the external fee',
  flyersOffline:
    'e2e/read-flyers-offline.spec.ts › after one visit the flyers of the selected language are available offline; a missing one shows a notice',
  foreignOrigins:
    'server/platform/http/security-headers.test.ts › scripts, connections and forms are restricted to the portal’s origin, and it cannot be framed',
  freeDays:
    'server/features/courses/routes.test.ts › a booking can be cancelled online until the end of the fifth working day',
  gateList:
    'server/office/people/plant-security-list.test.ts › the site access list contains name, status and billing type of participants with a lesson there, each once',
  groupData:
    'server/features/accounts/profile.test.ts › changing the group clears the fields of the previous one and adapts the billing type',
  groupFields: 'contract/rules/profile-rules.test.ts › every field is required, optional or absent as specified',
  guesses:
    'server/features/session/guesses.test.ts › a known browser has a limit of five attempts of its own, which does not affect others',
  holidays: 'server/features/programme/schedule.test.ts › generates one date per week, without holidays of the region',
  https: 'server/platform/http/security-headers.test.ts › HSTS is sent only if clients reach the portal over HTTPS',
  institute:
    'src/features/courses/components/course-facts.test.tsx › a certified course shows its test institute, any other course does not',
  inbox: 'server/features/inbox/routes.test.ts › messages are sorted newest first and visible only to their recipient',
  installable:
    'e2e/install-the-app.spec.ts › the app fulfils the browser’s criteria for installation, in both languages',
  instructorNumbers:
    'server/test/contract-privacy.test.ts › %s shows instructors no participant’s personnel number, phone or address, nor does its log',
  insuranceByDepartment:
    'server/features/accounts/consents.test.ts › an insurance number entered by the department has no consent until the person saves it, and withdrawing deletes it',
  insuranceConsent:
    'server/features/accounts/consents.test.ts › entering an insurance number records the consent with its text, and withdrawing it deletes the number',
  insuranceNumber:
    'server/office/people/insurance-number.test.ts › reading the health insurance number requires the billing permission',
  lateJoiner:
    'server/features/bookings/policy.test.ts › a late booking can be cancelled until its first lesson, and no cancellation deadline is in the past',
  lessonAdded:
    'server/office/programme/lessons.test.ts › an added lesson in an occupied room requires a reason, and is announced',
  lessonCancelled:
    'server/office/programme/lessons.test.ts › a cancelled lesson notifies participants and instructor once, leaves the dates, and is listed as a change',
  lessonMoved:
    'server/office/programme/lessons.test.ts › a lesson can be moved and get a room and a substitute, and no cancellation deadline becomes earlier',
  loggedAddresses: 'server/platform/http/request-log.test.ts › %s is logged as %s',
  login: 'server/features/session/login.test.ts › only the correct password reveals that an account is not activated',
  mailFiles:
    'server/platform/outbox/mail-folder.test.ts › an e-mail file is deleted with its row and an abandoned draft after an hour, and nothing else',
  mailSecrets:
    'server/features/accounts/mail-secret-service.test.ts › an e-mailed password is stored neither in the database nor in its write-ahead log',
  mailedPassword:
    'server/features/session/password.test.ts › an e-mailed password works once, and only its use disables the old one',
  mailedPasswordEnds:
    'server/features/session/password.test.ts › an e-mailed password expires after 24 hours, with the next one, and with a change of password',
  meeting:
    'server/features/courses/routes.test.ts › only booked participants and the instructor of the course receive the meeting data',
  namesEnd:
    'server/features/attendance/names-end.test.ts › the instructor sees the names of participants until 8 weeks after the last lesson',
  namesOnDevice:
    'e2e/leave-no-names.spec.ts › names are deleted 48 hours after the date in server time, whatever the device clock shows offline',
  namesOnLogout:
    'e2e/leave-no-names.spec.ts › names are deleted at logout, and at a start without the session that loaded them',
  noCancelAfterLast:
    'server/features/bookings/routes.test.ts › once the last lesson has begun, nobody can cancel and nobody is promoted',
  offlineShown: 'e2e/read-the-pages.spec.ts › after one visit every page is available offline, and so is a saved flyer',
  onlineOnly: 'server/features/bookings/routes.test.ts › an on-site course for an online-only division',
  opening: 'server/features/bookings/routes.test.ts › booking opens exactly at the opening time',
  order:
    'server/features/bookings/service.test.ts › seats are assigned in the order of booking after any sequence of actions',
  participantList:
    'server/features/attendance/participant-list.test.ts › the list contains the course, its participants with status and billing, and their attendance',
  passwordChanged:
    'server/features/session/password.test.ts › changing the password ends all other sessions and sends an e-mail',
  passwordGuessable:
    'server/features/session/password.test.ts › at most 2 percent of a thousand common passwords are accepted, seed %i',
  passwordHash: 'server/features/session/login.test.ts › a hash with weaker parameters is renewed at the next login',
  passwordRule: 'src/i18n/password-rule.test.ts › the password rule is stated with the same sentence everywhere: %s',
  payrollColumns:
    'server/features/money/batch-rules.test.ts › without further settings, the payroll file is the table of before',
  payroll: 'server/office/people/people.test.ts › verifies people on the list and holds back the others from payroll',
  price:
    'server/features/bookings/prices.test.ts › has the same price for each group in every response, however it is billed',
  profile: 'e2e/edit-profile.spec.ts › a user changes to every group, and the profile is saved each time',
  programmeOffline:
    'e2e/offline-programme.spec.ts › after one visit the whole programme is available offline: list, search and any course by its URL',
  promotion:
    'server/features/bookings/routes.test.ts › a freed seat goes to the first person on the waiting list, with an e-mail and a message in their language',
  pushContents:
    'server/platform/outbox/push-transport.test.ts › a browser can decrypt the push message, which names neither person nor course and is sent once',
  reportGroups:
    'server/office/money/report.test.ts › no group smaller than five can be inferred from the total and the shown groups, even knowing the rule',
  retention:
    'server/operations/retention.test.ts › are deleted one second after the limit, and a second run finds nothing',
  retentionMap: 'server/operations/retention-map.test.ts › no data outlives its retention period',
  risingFailures:
    'server/features/session/guesses.test.ts › the log reports failures, limits and a rising rate, without names of people',
  search:
    'e2e/find-a-course.spec.ts › courses are found in any spelling, narrowed by filters, and the search can be shared by its URL',
  proofConsent:
    'e2e/read-own-costs.spec.ts › a user sees the cost of a course and why it is open, and uploads and deletes a sick note',
  proofSeenBy: 'server/test/contract-rights.test.ts › is 403 for everyone outside the department, for any request',
  lessonMadeUp:
    'server/features/money/rules.test.ts › added lessons make up for cancelled ones, and never raise the price',
  ownCosts:
    'server/features/money/own-money.test.ts › an unsettled course is open with the agreed amounts, which the balance excludes until then',
  secrets:
    'server/features/session/secrets.test.ts › tokens and passwords are neither logged, even if the database fails, nor stored in plain text',
  shiftProof: 'server/features/money/rules.test.ts › a shift proof needs more than half of the lessons',
  sickNotes: 'server/features/money/rules.test.ts › two sick notes without a working day between them are one period',
  lessonRefund:
    'server/features/money/rules.test.ts › a refund is rounded up to the cent in the person’s favour, separately for fee and energy fee',
  payerConsent:
    'server/office/money/batch.test.ts › payroll: amounts on hold state the cause, closed batches are immutable, and returned lines are billed again',
  seasonBills: 'server/test/season/settlement.ts › the ledger, line by line',
  seasonFreeDays: 'server/test/season/autumn.ts › 6 October: the last day to cancel, to the minute',
  statusKept:
    'server/features/bookings/booking-facts.test.ts › a change of status leaves price, rule, status and personnel number of bookings unchanged',
  teachers: 'server/test/contract-rights.test.ts › is 403 for a participant and for an instructor of another course',
  tickOrder:
    'server/features/attendance/service.test.ts › the newest change per person and date takes effect, in any order, with repeats and concurrent arrivals',
  tickTime:
    'server/operations/retention.test.ts › attendance timestamps keep the day and the order, and an older change that arrives late does not overwrite',
  ticksOnDevice:
    'e2e/engines/record-without-signal.spec.ts › attendance changes made offline survive reloads, back navigation and suspension, and are sent on reconnecting',
  tooYoung: 'server/features/bookings/routes.test.ts › an insurer member under 16',
  superiors:
    'src/features/pages/data-map-model.test.ts › superiors see only what everyone sees, and each other kind of data is listed with those who see it',
  tokens: 'server/office/connections/tokens.test.ts › a token grants exactly what its scopes permit',
  unpaidKept:
    'server/operations/retention.test.ts › payer data of a deleted account are kept for ten years, and for as long as the amount is not paid',
  waitingLeft: 'server/features/bookings/routes.test.ts › waiting people may leave at any time',
  waitingList:
    'server/features/bookings/routes.test.ts › a full course assigns waiting-list positions in order, each with an e-mail',
  waiver:
    'server/features/bookings/routes.test.ts › the fee is waived for regular attendance once the course is over or closed',
  workingDays: 'server/features/bookings/deadlines.test.ts › books before the start, Christmas in the free days',
} as const
export type TestName = keyof typeof PROMISE_TESTS

/** Promises that are not implemented. Entries may only be removed. */
export const NOT_IMPLEMENTED: Record<string, string> = {}
export type MissingFeature = keyof typeof NOT_IMPLEMENTED
