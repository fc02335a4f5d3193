import type { ActKind } from '#contract/acts/acts.ts'
import type { REMOVABLE_OBJECT_KINDS } from '#contract/acts/programme.ts'
import {
  createServiceToken,
  removeWebhook,
  revokeServiceToken,
  saveWebhook,
} from '#server/office/connections/acts/connection.ts'
import {
  removeAlbum,
  removeContent,
  removePhoto,
  saveAlbum,
  saveContent,
  savePage,
  savePhoto,
} from '#server/office/content/acts/content.ts'
import { importProgramme } from '#server/office/content/acts/import.ts'
import { grantRight, revokeRight } from '#server/office/frame/acts/right.ts'
import type { ActHandler, OfficeContext } from '#server/office/frame/office-context-service.ts'
import {
  answerBatch,
  cancelInvoice,
  closeBatch,
  createBatch,
  markPaid,
  remindInvoices,
} from '#server/office/money/acts/batch.ts'
import { issueCertificatesForCourse, revokeCertificate } from '#server/office/money/acts/certificate.ts'
import { addLedgerEntry, repriceCourse } from '#server/office/money/acts/entry.ts'
import { acceptPayer, decideProof } from '#server/office/money/acts/proof.ts'
import { closeSeason } from '#server/office/money/acts/season.ts'
import {
  decideAttendance,
  excludeLesson,
  includeLesson,
  setClosing,
  settleCourses,
} from '#server/office/money/acts/settlement.ts'
import { removeMessage, saveMessage, sendMessage } from '#server/office/people/acts/message.ts'
import {
  changePerson,
  createPerson,
  invitePerson,
  lockPerson,
  mergePeople,
  noteCall,
  saveHrList,
  unlockPerson,
  verifyPerson,
} from '#server/office/people/acts/person.ts'
import { removeAbsence, setAbsence } from '#server/office/programme/acts/absence.ts'
import { recordAttendance, remindAttendance } from '#server/office/programme/acts/attendance.ts'
import { bookSeat, cancelBooking, moveBooking } from '#server/office/programme/acts/booking.ts'
import { removeClosure, setClosure } from '#server/office/programme/acts/closure.ts'
import {
  cancelCourse,
  changeCourse,
  changeCourses,
  confirmCourse,
  createCourse,
  removeCourse,
  restoreCourse,
  unconfirmCourse,
} from '#server/office/programme/acts/course.ts'
import {
  addLesson,
  cancelLesson,
  changeLesson,
  changeLessons,
  removeLesson,
  restoreLesson,
} from '#server/office/programme/acts/lesson.ts'
import {
  createRooms,
  removeRoom,
  saveCategory,
  saveDivision,
  saveInstructor,
  saveRoom,
} from '#server/office/programme/acts/master-data.ts'
import {
  changeSeason,
  copySeason,
  createSeason,
  publishBookingOrder,
  publishSeason,
  removeSeason,
  unpublishSeason,
} from '#server/office/programme/acts/season.ts'
import { askSubstitutes, withdrawSubstitutes } from '#server/office/programme/acts/substitutes.ts'

type Remove = (office: OfficeContext, id: number) => Promise<void>

/** Handlers of the `remove` action by kind of object. */
const removers: Record<keyof typeof REMOVABLE_OBJECT_KINDS, Remove> = {
  course: removeCourse,
  lesson: removeLesson,
  season: removeSeason,
  room: removeRoom,
  content: removeContent,
  album: removeAlbum,
  photo: removePhoto,
}

const remove: ActHandler<'remove'> = async (office, { what, id }) => {
  office.note({ objects: { what, id } })
  await removers[what](office, id)
}

export const actHandlers: { [Kind in ActKind]: ActHandler<Kind> } = {
  book: bookSeat,
  'cancel-booking': cancelBooking,
  'move-booking': moveBooking,
  'create-person': createPerson,
  'change-person': changePerson,
  'invite-person': invitePerson,
  'lock-person': lockPerson,
  'unlock-person': unlockPerson,
  'verify-person': verifyPerson,
  'note-call': noteCall,
  'merge-people': mergePeople,
  'record-attendance': recordAttendance,
  'remind-attendance': remindAttendance,
  'send-message': sendMessage,
  'save-message': saveMessage,
  'remove-message': removeMessage,
  'save-eligible': saveHrList,
  'confirm-course': confirmCourse,
  'unconfirm-course': unconfirmCourse,
  'cancel-course': cancelCourse,
  'restore-course': restoreCourse,
  'add-lesson': addLesson,
  'cancel-lesson': cancelLesson,
  'restore-lesson': restoreLesson,
  'change-lesson': changeLesson,
  'change-lessons': changeLessons,
  'set-absence': setAbsence,
  'remove-absence': removeAbsence,
  'ask-substitutes': askSubstitutes,
  'withdraw-substitutes': withdrawSubstitutes,
  'set-closure': setClosure,
  'remove-closure': removeClosure,
  'change-courses': changeCourses,
  'publish-season': publishSeason,
  'unpublish-season': unpublishSeason,
  'publish-booking-order': publishBookingOrder,
  'save-room': saveRoom,
  'create-rooms': createRooms,
  'create-course': createCourse,
  'change-course': changeCourse,
  'create-season': createSeason,
  'change-season': changeSeason,
  'copy-season': copySeason,
  'save-category': saveCategory,
  'save-division': saveDivision,
  'save-instructor': saveInstructor,
  'import-programme': importProgramme,
  'save-content': saveContent,
  'save-album': saveAlbum,
  'save-photo': savePhoto,
  'save-page': savePage,
  remove,
  'grant-right': grantRight,
  'revoke-right': revokeRight,
  'create-token': createServiceToken,
  'revoke-token': revokeServiceToken,
  'save-webhook': saveWebhook,
  'remove-webhook': removeWebhook,
  'decide-proof': decideProof,
  'accept-payer': acceptPayer,
  'exclude-lesson': excludeLesson,
  'include-lesson': includeLesson,
  'settle-courses': settleCourses,
  'close-season': closeSeason,
  'set-closing': setClosing,
  'reprice-course': repriceCourse,
  'decide-attendance': decideAttendance,
  'add-entry': addLedgerEntry,
  'create-batch': createBatch,
  'close-batch': closeBatch,
  'answer-batch': answerBatch,
  'mark-paid': markPaid,
  'cancel-invoice': cancelInvoice,
  'remind-invoices': remindInvoices,
  'issue-certificates': issueCertificatesForCourse,
  'revoke-certificate': revokeCertificate,
}
