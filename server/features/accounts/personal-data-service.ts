import type { PersonalData } from '#contract/personal-data.ts'
import type { Database } from '#server/db/client.ts'
import { sessionInvalid } from '#server/http/problems.ts'
import { presentOwnProfile } from './model.ts'
import {
  findAccountFacts,
  findInstructorFacts,
  listOwnAttendance,
  listOwnAttendanceChanges,
  listOwnBookings,
  listOwnDevices,
  listOwnEvents,
  listOwnLinks,
  listOwnMails,
  listOwnMessages,
  listOwnSessions,
  readOneMoment,
} from './personal-data-repository.ts'
import { findProfile } from './repository.ts'

/** Everything the portal holds about a person, as of one moment, without secrets such as hashes and tokens. */
export function collectPersonalData(db: Database, webUserId: number): Promise<PersonalData> {
  return db.transaction(async tx => {
    await readOneMoment(tx)
    const profile = await findProfile(tx, webUserId)
    if (profile === null) throw sessionInvalid()
    return {
      account: await findAccountFacts(tx, webUserId),
      profile: presentOwnProfile(profile),
      instructor: await findInstructorFacts(tx, webUserId, profile.email),
      bookings: await listOwnBookings(tx, webUserId),
      attendance: await listOwnAttendance(tx, webUserId),
      attendanceChanges: await listOwnAttendanceChanges(tx, webUserId),
      messages: await listOwnMessages(tx, webUserId),
      sessions: await listOwnSessions(tx, webUserId),
      devices: await listOwnDevices(tx, webUserId),
      links: await listOwnLinks(tx, webUserId),
      mails: await listOwnMails(tx, webUserId),
      securityEvents: await listOwnEvents(tx, webUserId, profile.email),
    }
  })
}
