import type { ActConsequences } from '#contract/office/office.ts'
import { findPublication } from '#server/features/bookings/booking-order-repository.ts'
import { publishOrder } from '#server/features/bookings/booking-order-service.ts'
import { listLessonClashes } from '#server/features/courses/lesson-repository.ts'
import { generateDates, type Schedule, weekdayOf } from '#server/features/programme/schedule.ts'
import { importTableDefinitions } from '#server/features/programme/tables.ts'
import { refreshBookingStarts } from '#server/features/programme/write/courses.ts'
import type { ActHandler, OfficeContext } from '#server/office/frame/office-context-service.ts'
import { deleteUnusedCourses, toClashResponse } from '../course-service.ts'
import {
  deleteSeason,
  findSeasonToCopy,
  isSeasonEndBeforeStart,
  lockSeasonCourses,
  updateOriginals,
  updateSeasonDraft,
  wasSeasonBooked,
} from '../season-repository.ts'
import { listLessonsToCopy, planCopiedLessons, type SeasonSpan, toCopiedCourseNumber } from '../season-rules.ts'
import { listStoredCourses, tableRowExists } from '../table-repository.ts'
import { assertCourseNumbersUnused, saveTableRow, toImportTable, writeCoursesAndLessons } from '../table-service.ts'

type ReviewedLesson = NonNullable<NonNullable<ActConsequences['made']>['review']>[number]

/** Builds the schedule of a copied course. A course without lessons starts with the season. */
function toSchedule(region: string, heldAt: string[], day: number | null | undefined, to: SeasonSpan): Schedule {
  const [startsOn = to.startsAt, endsOn = to.startsAt] = [heldAt[0]?.slice(0, 10), heldAt.at(-1)?.slice(0, 10)]
  const days = new Set(heldAt.map(at => weekdayOf(at.slice(0, 10))))
  const weekday = day ?? weekdayOf(startsOn)
  const hasOneDay = days.size === 1 && days.has(weekday)
  // If generating weekly lessons from the first to the last day yields exactly the copied dates, these dates are
  // treated as generated.
  const weekly = hasOneDay ? generateDates(region, startsOn, endsOn, weekday) : []
  const hasOwnDates = weekly.join() !== heldAt.map(at => at.slice(0, 10)).join()
  return {
    startsOn,
    endsOn,
    day: days.size > 0 && !days.has(weekday) ? weekdayOf(startsOn) : weekday,
    heldAt,
    hasOwnDates,
  }
}

/** Copies a season and its courses as a draft, without bookings. No copied course is confirmed. */
const copySeason: ActHandler<'copy-season'> = async (office, { seasonId: oldId, ...act }) => {
  const { tx, config } = office
  if (act.endsAt < act.startsAt) office.fail('failed.dateOrder')
  await office.open('seasons', oldId)
  office.leaveUnchanged('seasons', oldId)
  const old = await findSeasonToCopy(tx, oldId)
  const stored = await listStoredCourses(tx, oldId)
  const { description, description2 } = old
  const seasonId = await saveTableRow(office, 'seasons', importTableDefinitions.seasons, {
    description,
    description2,
    draft: true,
    ...act,
  })

  const { startsAt, endsAt } = act
  const to = { startsAt, endsAt }
  const firstDays = stored.flatMap(({ lessons }) => lessons[0]?.at.slice(0, 10) ?? [])
  const from = old.startsAt ?? firstDays.sort()[0] ?? startsAt
  const copies: { number: string; name: string; fromId: number; before: number; now: number }[] = []
  const review: ReviewedLesson[] = []
  const schedules = new Map<string, Schedule>()
  const rows = stored.map(course => {
    const { id, lessons, ...values } = course
    const number = toCopiedCourseNumber(values.number ?? '', old.shortcut, act.shortcut)
    if (number.length > 50) office.fail('failed.numberLong', { number })
    if (schedules.has(number)) office.fail('failed.numberTaken', { number })
    const times = listLessonsToCopy(lessons)
    const copied = planCopiedLessons(config.region, times, from, to)
    schedules.set(number, toSchedule(config.region, copied.heldAt, course.day, to))
    copies.push({ number, name: values.name ?? '', fromId: id, before: times.length, now: copied.heldAt.length })
    for (const lesson of copied.review)
      review.push({
        number,
        name: values.name ?? '',
        from: lesson.from.slice(0, 16).replace(' ', 'T'),
        to: lesson.to.slice(0, 16).replace(' ', 'T'),
        why: office.say('review.rhythm'),
      })
    return { ...values, number, seasonId, bookableFrom: null, decideOn: null, confirmed: false, note: '', note2: '' }
  })
  await assertCourseNumbersUnused(office, [...schedules.keys()])
  const courses = toImportTable(
    importTableDefinitions.courses,
    rows,
    new Set(Object.keys(importTableDefinitions.courses.columns)),
  )
  await writeCoursesAndLessons(office, courses, schedules)
  for (const clash of await listLessonClashes(tx, { seasonId, language: office.language }))
    office.clash(toClashResponse(clash))
  await updateOriginals(tx, seasonId, copies)
  office.addToPreview({
    courses: rows.length,
    fewerLessons: copies.filter(({ before, now }) => now > 0 && now < before).map(({ fromId, ...copy }) => copy),
    withoutLessons: copies.filter(({ now }) => now === 0).map(({ number, name }) => ({ number, name })),
    review,
  })
  office.note({ objects: { seasonId, fromSeasonId: oldId }, after: { courses: rows.length } })
  return { seasonId, review }
}

/** Creates a season as a draft, which only staff can see. */
const createSeason: ActHandler<'create-season'> = async (office, act) => {
  if (act.startsAt && act.endsAt && act.endsAt < act.startsAt) office.fail('failed.dateOrder')
  // A new row requires all columns. A column without a value gets the default for an empty cell.
  const seasonId = await saveTableRow(office, 'seasons', importTableDefinitions.seasons, {
    bookableFrom: '',
    viewableFrom: '',
    draft: true,
    ...act,
  })
  office.note({ objects: { seasonId } })
  return { seasonId }
}

/** Updates a season and recalculates when its courses open for booking. */
const changeSeason: ActHandler<'change-season'> = async (office, { seasonId, ...act }) => {
  if (!(await tableRowExists(office.tx, 'seasons', seasonId))) office.fail('unknown.seasons')
  await saveTableRow(office, 'seasons', importTableDefinitions.seasons, { ...act, id: seasonId })
  if (await isSeasonEndBeforeStart(office.tx, seasonId)) office.fail('failed.dateOrder')
  await refreshBookingStarts(office.tx)
  office.note({ objects: { seasonId } })
}

async function setDraft(office: OfficeContext, seasonId: number, isDraft: boolean): Promise<undefined> {
  await office.open('seasons', seasonId)
  if (isDraft && (await wasSeasonBooked(office.tx, seasonId))) office.fail('failed.hasBookings')
  if ((await updateSeasonDraft(office.tx, seasonId, isDraft)) === 0) {
    office.leaveUnchanged('seasons', seasonId)
    return
  }
  await refreshBookingStarts(office.tx)
  office.programmeChanged()
  office.note({ objects: { seasonId }, after: { isDraft } })
}

/** Publishes a season, which becomes visible at `viewableFrom`. */
const publishSeason: ActHandler<'publish-season'> = (office, { seasonId }) => setDraft(office, seasonId, false)

/** Turns a season back into a draft, provided that none of its courses has ever been booked. */
const unpublishSeason: ActHandler<'unpublish-season'> = (office, { seasonId }) => setDraft(office, seasonId, true)

/** Publishes the order of the requests that were received for the courses of a season, once and for good. */
const publishBookingOrder: ActHandler<'publish-booking-order'> = async (office, { seasonId }) => {
  await office.open('seasons', seasonId)
  office.leaveUnchanged('seasons', seasonId)
  if (await findPublication(office.tx, seasonId)) office.fail('failed.orderPublished')
  const published = await publishOrder(office.tx, seasonId)
  office.note({ objects: { seasonId }, after: published ?? office.fail('failed.noRequests') })
}

/** Deletes a season and its courses, provided that none of them has ever been booked. */
export async function removeSeason(office: OfficeContext, id: number): Promise<void> {
  await office.open('seasons', id)
  const courses = await lockSeasonCourses(office.tx, id)
  office.note({ before: { courses: courses.map(({ number }) => number) } })
  await deleteUnusedCourses(
    office,
    courses.map(course => course.id),
  )
  await deleteSeason(office.tx, id)
}

export const seasonHandlers = {
  'publish-season': publishSeason,
  'unpublish-season': unpublishSeason,
  'publish-booking-order': publishBookingOrder,
  'create-season': createSeason,
  'change-season': changeSeason,
  'copy-season': copySeason,
}
