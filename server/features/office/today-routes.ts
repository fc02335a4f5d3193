import { getToday } from '#contract/office-today.ts'
import type { Right } from '#contract/rights.ts'
import { listWaitingGuests } from '#server/features/attendance/guest-repository.ts'
import type { Api } from '#server/http/mount.ts'
import type { ServerContext } from '#server/runtime/context.ts'
import { countRemovals, isRemovalLimitReached } from './directory-repository.ts'
import * as repository from './today-repository.ts'

export function mountToday(api: Api, { db }: ServerContext): void {
  api.mount(getToday, async ({ session, shows }) => {
    const has = (...rights: Right[]) => rights.some(right => session.rights.includes(right))
    const [isAbout, isBookings, isProgramme] = [has('programme', 'bookings'), has('bookings'), has('programme')]
    const listGuests = async () =>
      (await listWaitingGuests(db)).map(({ guestId, name, courseId, courseName, heldAt, freePlaces, accounts }) => ({
        guestId,
        name,
        courseId,
        courseName,
        freePlaces,
        accounts,
        at: heldAt.slice(0, 16).replace(' ', 'T'),
      }))
    const [
      date,
      lessons,
      unrecorded,
      absences,
      decisions,
      call,
      unverified,
      withoutPayer,
      numberConflicts,
      mails,
      held,
      guests,
      openings,
      removals,
      clashes,
      figures,
      setup,
    ] = await Promise.all([
      repository.findDate(db),
      isAbout ? repository.listLessons(db) : undefined,
      isAbout ? repository.listUnrecorded(db) : undefined,
      isProgramme ? repository.listAbsences(db) : undefined,
      isProgramme ? repository.listDecisions(db) : undefined,
      isBookings ? repository.listToCall(db) : undefined,
      isBookings ? repository.listUnverified(db) : undefined,
      isBookings ? repository.listWithoutPayer(db) : undefined,
      isBookings ? repository.listNumberConflicts(db) : undefined,
      isBookings ? repository.listMails(db) : undefined,
      isBookings ? repository.findHeld(db) : undefined,
      isBookings ? listGuests() : undefined,
      isProgramme ? repository.listOpenings(db) : undefined,
      isBookings ? countRemovals(db) : undefined,
      isProgramme ? repository.listClashes(db) : undefined,
      isAbout ? repository.findFigures(db) : undefined,
      repository.findSetup(db),
    ])
    const named = [
      ...(call ?? []),
      ...(unverified ?? []),
      ...(withoutPayer ?? []),
      ...(numberConflicts ?? []),
      ...(mails ?? []),
      ...(guests ?? []).flatMap(({ accounts }) => accounts),
    ]
    shows(named.flatMap(({ webUserId }) => webUserId ?? []))
    return {
      date,
      ...(lessons && { lessons }),
      ...(unrecorded && { unrecorded }),
      ...(absences && { absences }),
      ...(decisions && { decisions }),
      ...(call && { call }),
      ...(unverified && { unverified }),
      ...(withoutPayer && { withoutPayer }),
      ...(numberConflicts && { numberConflicts }),
      ...(mails && { mails }),
      ...(held && { held }),
      ...(removals && isRemovalLimitReached(removals) && { directoryRemovals: removals }),
      ...(guests && { guests }),
      ...(openings && { openings }),
      ...(clashes && { clashes }),
      ...(figures && { figures }),
      ...(setup && { setup }),
    }
  })
}
