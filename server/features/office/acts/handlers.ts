import type { ActKind } from '#contract/acts/acts.ts'
import type { ActHandler } from '../desk-service.ts'
import { addLesson } from './add-lesson.ts'
import { book } from './book.ts'
import { cancelBooking } from './cancel-booking.ts'
import { cancelCourse } from './cancel-course.ts'
import { cancelLesson } from './cancel-lesson.ts'
import { changeCourse } from './change-course.ts'
import { changeLesson } from './change-lesson.ts'
import { changePerson } from './change-person.ts'
import { changeSeason } from './change-season.ts'
import { confirmCourse, unconfirmCourse } from './confirm-course.ts'
import { createToken, removeWebhook, revokeToken, saveWebhook } from './connect.ts'
import { copySeason } from './copy-season.ts'
import { createCourse } from './create-course.ts'
import { createPerson } from './create-person.ts'
import { createRooms } from './create-rooms.ts'
import { createSeason } from './create-season.ts'
import { grantRight } from './grant-right.ts'
import { importProgramme } from './import-programme.ts'
import { invitePerson } from './invite-person.ts'
import { lockPerson } from './lock-person.ts'
import { mergePeople } from './merge-people.ts'
import { moveBooking } from './move-booking.ts'
import { publishSeason, unpublishSeason } from './publish-season.ts'
import { remove } from './remove.ts'
import { restoreCourse } from './restore-course.ts'
import { restoreLesson } from './restore-lesson.ts'
import { revokeRight } from './revoke-right.ts'
import { saveCategory } from './save-category.ts'
import { saveAlbum, saveContent, savePhoto } from './save-content.ts'
import { saveDivision } from './save-division.ts'
import { saveEligible } from './save-eligible.ts'
import { saveInstructor } from './save-instructor.ts'
import { savePage } from './save-page.ts'
import { saveRoom } from './save-room.ts'
import { sendMessage } from './send-message.ts'
import { unlockPerson } from './unlock-person.ts'
import { verifyPerson } from './verify-person.ts'

export const actHandlers: { [Kind in ActKind]: ActHandler<Kind> } = {
  book,
  'cancel-booking': cancelBooking,
  'move-booking': moveBooking,
  'create-person': createPerson,
  'change-person': changePerson,
  'invite-person': invitePerson,
  'lock-person': lockPerson,
  'unlock-person': unlockPerson,
  'verify-person': verifyPerson,
  'merge-people': mergePeople,
  'send-message': sendMessage,
  'save-eligible': saveEligible,
  'confirm-course': confirmCourse,
  'unconfirm-course': unconfirmCourse,
  'cancel-course': cancelCourse,
  'restore-course': restoreCourse,
  'add-lesson': addLesson,
  'cancel-lesson': cancelLesson,
  'restore-lesson': restoreLesson,
  'change-lesson': changeLesson,
  'publish-season': publishSeason,
  'unpublish-season': unpublishSeason,
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
  'create-token': createToken,
  'revoke-token': revokeToken,
  'save-webhook': saveWebhook,
  'remove-webhook': removeWebhook,
}
