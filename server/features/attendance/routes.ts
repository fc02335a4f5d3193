import { changePresence, completeParticipation, getCourseDates, getParticipantList } from '#contract/attendance.ts'
import type { ServerContext } from '#server/context.ts'
import { type Api, notImplemented } from '#server/http/mount.ts'

export function mountAttendance(api: Api, _context: ServerContext): void {
  api.mount(getCourseDates, notImplemented)
  api.mount(changePresence, notImplemented)
  api.mount(completeParticipation, notImplemented)
  api.mount(getParticipantList, notImplemented)
}
