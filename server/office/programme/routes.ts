import { answerSubstituteRequest, listSubstituteRequests } from '#contract/endpoints/substitutes.ts'
import { compareByName } from '#contract/name-order.ts'
import * as office from '#contract/office/office.ts'
import {
  getRoomSheets,
  listAbsenceLessons,
  listClosureLessons,
  listFree,
  listSeasonChecks,
  listSubstituteCandidates,
} from '#contract/office/planning.ts'
import * as contract from '#contract/office/programme.ts'
import { rehearseOpening as rehearsalContract } from '#contract/office/rehearsal.ts'
import { formatDate } from '#contract/words.ts'
import { listLessonPeople } from '#server/features/attendance/repository.ts'
import { formatFamilyNameFirst } from '#server/features/attendance/rules.ts'
import { findCourseView } from '#server/features/bookings/office-booking-service.ts'
import { toFreeUntil } from '#server/features/bookings/pricing-rules.ts'
import { listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import type { CourseFacts } from '#server/features/courses/rules.ts'
import { addDays } from '#server/features/programme/cell-parsers.ts'
import { generateDates, isHoliday, listWeeklyDates, weekdayOf } from '#server/features/programme/schedule.ts'
import { createAuditAnchor } from '#server/office/frame/audit-anchor-service.ts'
import { listAuditLog } from '#server/office/frame/audit-log-repository.ts'
import { findServerTime, toDateTimeValue } from '#server/platform/db/date-time.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { findPage, toPage } from '#server/platform/http/pagination.ts'
import { notFound, sessionInvalid } from '#server/platform/http/problems.ts'
import { hashToken } from '#server/platform/http/token.ts'
import { printDocument } from '#server/platform/pdf/printer.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { createMessageResponse } from '#server/platform/texts/failure-codes.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { listAbsences, listFreeInstructors, listFreeRooms, listLessonsWithCandidates } from './absence-repository.ts'
import { listClosures, listLessonsInClosure } from './closure-repository.ts'
import { findOfficeCourseRow } from './course-repository.ts'
import { findOfficeLessonRow } from './lesson-repository.ts'
import { rehearseOpening } from './rehearsal-service.ts'
import * as repository from './repository.ts'
import { layOutRoomSheets } from './room-sheet-model.ts'
import { listRoomSheetLessons } from './room-sheet-repository.ts'
import { listCourseCompleteness } from './season-repository.ts'
import { holidayNameFor, toSeasonChecks } from './season-rules.ts'
import { type Invited, isLinkKnown, listRequestsOf } from './substitute-repository.ts'
import { answerSubstituteRequest as answerRequest } from './substitute-service.ts'
import { findCourseColumns } from './table-repository.ts'

/** Maximum number of days in the calendar, which shows a week or a month but never the whole programme. */
const MAX_GRID_DAYS = 61
/** Maximum number of days in a file of sheets for rooms. */
const MAX_SHEET_DAYS = 7
/** Maximum length of a series in days, about that of the longest course. */
const MAX_SERIES_DAYS = 3 * 366

const listDays = (from: string, to: string): string[] =>
  Array.from({ length: Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1 }, (_, index) =>
    addDays(from, index),
  )

/** First and last day of the calendar: a week from the first or to the last requested day, else the current week. */
function toGridRange(requested: { from?: string; to?: string }, week: { monday: string; sunday: string }) {
  const from = requested.from ?? (requested.to === undefined ? week.monday : addDays(requested.to, -6))
  const wanted = requested.to ?? (requested.from === undefined ? week.sunday : addDays(from, 6))
  const [last] = [wanted, addDays(from, MAX_GRID_DAYS)].sort()
  return { from, to: last !== undefined && last > from ? last : from }
}

type BookingOfCourse = Awaited<ReturnType<typeof repository.listBookingsOfCourse>>[number]

/** The people of a course, grouped by the state of their bookings; those with a place with their cancellation deadline. */
function groupByState(bookings: readonly BookingOfCourse[], facts: CourseFacts) {
  const people = (isWanted: (booking: BookingOfCourse) => boolean) =>
    bookings.filter(isWanted).map(({ state, isEnded, firstLessonOn, ...person }) => ({
      ...person,
      freeUntil: isEnded ? null : toFreeUntil(facts, firstLessonOn),
    }))
  return {
    booked: people(({ state, isEnded }) => state === 1 && !isEnded),
    waiting: people(({ state, isEnded }) => state === 2 && !isEnded),
    former: people(({ isEnded }) => isEnded),
  }
}

export function mountOfficeProgramme(api: Api, { db, config }: ServerContext): void {
  api.mount(contract.listOfficeSeasons, ({ query }) => findPage(query, 'id', page => repository.listSeasons(db, page)))

  api.mount(rehearsalContract, ({ body }) => rehearseOpening(db, body.seasonId, body.demandSeasonId))

  api.mount(contract.getOfficeGrid, async ({ query }) => {
    const { from, to } = toGridRange(query, await repository.findCurrentWeek(db))
    const holidays = listDays(from, to).filter(day => isHoliday(config.region, day))
    const [absences, closures, lessons] = await Promise.all([
      listAbsences(db, { from, to }),
      listClosures(db, { from, to }),
      repository.listGridLessons(db, { from, to }),
    ])
    return { from, to, holidays, absences, closures, lessons }
  })

  api.mount(listAbsenceLessons, async ({ query }) => {
    const [all, lessons] = await Promise.all([listAbsences(db, query), listLessonsWithCandidates(db, query)])
    const absences = all.filter(({ instructorEmail }) => instructorEmail === query.instructorEmail)
    return { absences: absences.map(({ absenceId, from, to }) => ({ absenceId, from, to })), lessons }
  })

  api.mount(getRoomSheets, async ({ query, language }) => {
    const from = query.from ?? (await findServerTime(db)).slice(0, 10)
    const [last = from] = [query.to ?? from, addDays(from, MAX_SHEET_DAYS - 1)].sort()
    const to = last > from ? last : from
    const lessons = await listRoomSheetLessons(db, { from, to, room: query.room ?? null })
    const title = translate(language, 'attendance.list.sheets', { date: formatDate(toDateTimeValue(from)) })
    const pdf = layOutRoomSheets({ lessons, language, portal: config.branding.portalName, title })
    return { fileName: `rooms-${from}.pdf`, content: await printDocument({ pdf }) }
  })

  api.mount(listSubstituteCandidates, async ({ query }) => ({
    lessons: await listLessonsWithCandidates(db, { courseDateIds: query.courseDateIds.split(',').map(Number) }),
  }))

  api.mount(listClosureLessons, async ({ query: { roomIds = '', site = '', from, to } }) => {
    const closure = { roomIds: roomIds === '' ? [] : roomIds.split(',').map(Number), site, from, to }
    return { lessons: await listLessonsInClosure(db, closure) }
  })

  api.mount(listFree, async ({ query, language }) => {
    const { from, to, startTime, endTime, courseId = 0, weekday } = query
    const last = [to, addDays(from, MAX_SERIES_DAYS)].sort()[0] ?? from
    const day = Number(weekday ?? weekdayOf(from))
    const dates = generateDates(config.region, from, last, day)
    const holidays = listWeeklyDates(from, last, day)
      .filter(date => !dates.includes(date))
      .map(date => ({ date, name: holidayNameFor(config.region, date, language) }))
    const series = { dates, startTime, endTime, courseId, language }
    const [rooms, instructors] = await Promise.all([listFreeRooms(db, series), listFreeInstructors(db, series)])
    return { dates, holidays, rooms, instructors }
  })

  api.mount(listSeasonChecks, async ({ query: { seasonId }, language }) => {
    const [courses, clashes] = await Promise.all([
      listCourseCompleteness(db, seasonId, language),
      listLessonClashes(db, { seasonId, language }),
    ])
    return { items: toSeasonChecks(courses, clashes) }
  })

  api.mount(contract.listOfficeCategories, ({ query }) =>
    findPage(query, 'id', page => repository.listCategories(db, page)),
  )

  api.mount(contract.listCourseTemplates, ({ query }) =>
    findPage(query, 'templateId', page => repository.listCourseTemplates(db, page)),
  )

  api.mount(contract.listOfficeDivisions, ({ query }) =>
    findPage(query, 'id', page => repository.listDivisions(db, page)),
  )

  api.mount(contract.listOfficeInstructors, async ({ query }) => {
    const { limit = 100, after = '' } = query
    const rows = await repository.listInstructors(db, limit, after)
    return { ...toPage('email', rows, limit), unknown: await repository.listUnregisteredInstructors(db) }
  })

  api.mount(office.listOfficeCourses, ({ query }) =>
    findPage(query, 'id', page => repository.listCourses(db, query.seasonId ?? null, page)),
  )

  api.mount(office.getOfficeCourse, async ({ params, session, shows }) => {
    const version = await repository.findCourseVersion(db, params.id)
    const view = version !== null && (await findCourseView(db, config.region, params.id, session.id))
    if (!view) throw notFound()
    const mayNamePeople = session.rights.includes('bookings')
    const all = mayNamePeople ? await repository.listBookingsOfCourse(db, params.id) : []
    const guests = mayNamePeople ? await repository.listGuestsOfCourse(db, params.id) : []
    const lessons = await repository.listLessons(db, params.id)
    shows([...all, ...guests].map(({ webUserId }) => webUserId))
    const record = await listAuditLog(db, { kind: 'send-message', course: params.id }, { limit: 100, after: 0 })
    return {
      version,
      course: view.shown,
      columns: await findCourseColumns(db, params.id),
      lessons: lessons.map(lesson => ({
        ...lesson,
        guests: guests
          .filter(({ courseDateId }) => courseDateId === lesson.courseDateId)
          .map(({ webUserId, name }) => ({ webUserId, name })),
      })),
      ...groupByState(all, view.facts),
      messages: mayNamePeople ? record.map(({ recordId, at, kind, text }) => ({ recordId, at, kind, text })) : [],
    }
  })

  api.mount(office.getLessonAttendance, async ({ params: { id }, shows }) => {
    const lesson = await findOfficeLessonRow(db, id)
    const course = lesson && (await findOfficeCourseRow(db, lesson.courseId))
    if (!course) throw notFound()
    const people = (await listLessonPeople(db, id)).sort(compareByName)
    shows(people.map(({ webUserId }) => webUserId))
    return {
      courseDateId: id,
      courseId: course.id,
      number: course.number,
      name: course.name,
      name2: course.name2,
      at: lesson.heldAt.slice(0, 16).replace(' ', 'T'),
      people: people.map(({ webUserId, isPresent, isGuest, ...person }) => ({
        webUserId,
        name: formatFamilyNameFirst(person),
        isPresent,
        ...(isGuest && { isGuest }),
      })),
    }
  })

  api.mount(office.listRooms, async ({ query }) => ({
    ...(await findPage(query, 'roomId', page => repository.listRooms(db, page))),
    unknown: await repository.listUnregisteredVenues(db),
  }))
}

/** Mounts the endpoints with which instructors answer requests for substitutes, logged in or by the link in the e-mail. */
export function mountSubstituteRequests(api: Api, context: ServerContext): void {
  const { db, config, wakeMailer } = context
  const anchorAuditLog = createAuditAnchor(context)
  const whoIs = (token: string | undefined, session: { email: string } | null): Invited => {
    if (token !== undefined) return { tokenHash: hashToken(token) }
    if (session === null) throw sessionInvalid()
    return { email: session.email }
  }

  api.mount(listSubstituteRequests, async ({ body: { token }, session, language }) => {
    const who = whoIs(token, session)
    if ('email' in who || (await isLinkKnown(db, who.tokenHash))) {
      const items = await listRequestsOf(db, who)
      const isOver = token !== undefined && items.length === 0
      return { status: 'Ok' as const, message: isOver ? translate(language, 'office.substitute.closed') : '', items }
    }
    return { ...createMessageResponse(language, 'NotFound', 'office.substitute.unknown'), items: [] }
  })

  api.mount(answerSubstituteRequest, async ({ body: { token, ...answer }, session, language }) => {
    const who = whoIs(token, session)
    const outcome = await answerRequest(db, who, answer, { config, language })
    if (outcome === 'accepted') {
      await anchorAuditLog()
      wakeMailer()
    }
    const items = await listRequestsOf(db, who)
    const message = translate(language, `office.substitute.${outcome}`)
    if (outcome === 'accepted' || outcome === 'declined') return { status: 'Ok' as const, message, items }
    const code = outcome === 'busy' ? 'office.substitute.busy' : 'office.substitute.closed'
    return { ...createMessageResponse(language, 'Failed', code), message, items }
  })
}
