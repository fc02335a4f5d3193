import type { ActKind } from '#contract/acts/acts.ts'
import type { REMOVABLE_OBJECT_KINDS } from '#contract/acts/programme.ts'
import { connectionHandlers } from '#server/office/connections/acts/connection.ts'
import { contentHandlers, removeAlbum, removeContent, removePhoto } from '#server/office/content/acts/content.ts'
import { importHandlers } from '#server/office/content/acts/import.ts'
import { rightHandlers } from '#server/office/frame/acts/right.ts'
import type { ActHandler, OfficeContext } from '#server/office/frame/office-context-service.ts'
import { batchHandlers } from '#server/office/money/acts/batch.ts'
import { certificateHandlers } from '#server/office/money/acts/certificate.ts'
import { entryHandlers } from '#server/office/money/acts/entry.ts'
import { proofHandlers } from '#server/office/money/acts/proof.ts'
import { seasonClosingHandlers } from '#server/office/money/acts/season.ts'
import { settlementHandlers } from '#server/office/money/acts/settlement.ts'
import { messageHandlers } from '#server/office/people/acts/message.ts'
import { personHandlers } from '#server/office/people/acts/person.ts'
import { absenceHandlers } from '#server/office/programme/acts/absence.ts'
import { attendanceHandlers } from '#server/office/programme/acts/attendance.ts'
import { bookingHandlers } from '#server/office/programme/acts/booking.ts'
import { closureHandlers } from '#server/office/programme/acts/closure.ts'
import { courseHandlers, removeCourse } from '#server/office/programme/acts/course.ts'
import { lessonHandlers, removeLesson } from '#server/office/programme/acts/lesson.ts'
import { masterDataHandlers, removeRoom, removeTemplate } from '#server/office/programme/acts/master-data.ts'
import { removeSeason, seasonHandlers } from '#server/office/programme/acts/season.ts'
import { substituteHandlers } from '#server/office/programme/acts/substitutes.ts'

type Remove = (office: OfficeContext, id: number) => Promise<void>

/** Handlers of the `remove` action by kind of object. */
const removers: Record<keyof typeof REMOVABLE_OBJECT_KINDS, Remove> = {
  course: removeCourse,
  lesson: removeLesson,
  season: removeSeason,
  room: removeRoom,
  template: removeTemplate,
  content: removeContent,
  album: removeAlbum,
  photo: removePhoto,
}

const remove: ActHandler<'remove'> = async (office, { what, id }) => {
  office.note({ objects: { what, id } })
  await removers[what](office, id)
}

/** All actions. A file of `acts/` lists its own. */
export const actHandlers: { [Kind in ActKind]: ActHandler<Kind> } = {
  ...bookingHandlers,
  ...personHandlers,
  ...attendanceHandlers,
  ...messageHandlers,
  ...courseHandlers,
  ...lessonHandlers,
  ...absenceHandlers,
  ...substituteHandlers,
  ...closureHandlers,
  ...seasonHandlers,
  ...masterDataHandlers,
  ...importHandlers,
  ...contentHandlers,
  ...rightHandlers,
  ...connectionHandlers,
  ...proofHandlers,
  ...settlementHandlers,
  ...seasonClosingHandlers,
  ...entryHandlers,
  ...batchHandlers,
  ...certificateHandlers,
  remove,
}
