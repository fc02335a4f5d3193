import { CHARGES } from '#contract/acts/bookings.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { isRegular } from '#contract/money-rules.ts'
import type * as contract from '#contract/office-people.ts'
import type { BilledBooking } from '#contract/office-people.ts'
import { isOneOf } from '#contract/records.ts'
import { BOOKING_STATUS, type Language } from '#contract/values.ts'
import { pickText } from '#contract/words.ts'
import type { Database } from '#server/db/client.ts'
import { findServerTime } from '#server/db/date-time.ts'
import { countRecorded } from '#server/features/bookings/pricing-rules.ts'
import { earnsItsFee } from '#server/features/money/rules.ts'
import { translate } from '#server/texts/translate.ts'
import * as repository from './list-repository.ts'
import { summarizeOccupancy, type Table, toTable } from './list-rules.ts'

/** `isForBilling`: the reader may see health insurance numbers */
type Wanted = { seasonId: number | null; language: Language; isForBilling: boolean; region: string }
type Written = { table: Table; people: number[] }

const COURSE = ['season', 'courseNumber', 'course', 'start', 'end'] as const
/** As in webhooks and in the JSON of the same bookings. */
const IDS = ['bookingId', 'courseId', 'webUserId'] as const
const NAME = ['familyName', 'givenName', 'email'] as const

type Row = { season: string; number: string; course: string; course2: string; start: string; end: string }
const courseCells = (language: Language, { season, number, course, course2, start, end }: Row) => ({
  season,
  courseNumber: number,
  course: pickText(language, course, course2),
  start,
  end,
})
const wordFor = (language: Language, list: 'employeeStatus' | 'billingType', value: number | null) =>
  value === null ? '' : translate(language, `attendance.list.${list}.${value}`)

type RecordedPlace = Pick<repository.ListedPlace, 'courseId' | 'presence' | 'placeSince' | 'proofs'>

const peopleIn = (rows: { webUserId: number }[]) => [...new Set(rows.map(({ webUserId }) => webUserId))]

type Recorded = Pick<Wanted, 'seasonId' | 'region'> & { courseIds?: number[] }

async function readLessons(db: Database, { seasonId, region, courseIds }: Recorded) {
  const lessons = await repository.listLessonTimes(db, seasonId, courseIds ?? null)
  const now = await findServerTime(db)
  const byCourse = new Map(lessons.map(of => [of.courseId, of.lessons]))
  return ({ courseId, presence, placeSince, proofs }: RecordedPlace) =>
    countRecorded(byCourse.get(courseId) ?? [], presence, { placeSince, now }, { region, proofs })
}

/** Amount due in cents: that of the ledger, before the settlement as of now. @param recorded the attendance in the course */
function amountOf(row: repository.ListedBooking, recorded: ReturnType<typeof countRecorded>): number {
  if (row.settledCents !== null) return row.settledCents
  if (row.isEnded) return row.chargeCents
  const isWaived =
    earnsItsFee(row.freeWithAttendance, row.employeeStatus, row.priceRule) && isRegular(recorded, row.isClosed)
  return (isWaived ? 0 : row.feeCents) + row.energyCents
}

/** What is owed for each place: whoever gave it back pays only where the department said so. */
async function writeBookings(db: Database, wanted: Wanted): Promise<Written> {
  const { seasonId, language, isForBilling } = wanted
  const rows = await repository.listBookedPlaces(db, seasonId)
  const count = await readLessons(db, wanted)
  const columns = [
    ...COURSE,
    ...NAME,
    'employeeStatus',
    'personnelNumber',
    'ownerPersonnelNumber',
    'division',
    'billingType',
    'street',
    'zip',
    'city',
    'state',
    'since',
    'endedAt',
    'fee',
    'energyFee',
    'charge',
    'amount',
    'verified',
    'payroll',
    'bkkNumber',
    ...IDS,
  ] as const
  const table = toTable(
    columns,
    rows.map(row => {
      const amount = amountOf(row, count(row))
      return {
        ...courseCells(language, row),
        familyName: row.familyName,
        givenName: row.givenName,
        email: row.email,
        employeeStatus: wordFor(language, 'employeeStatus', row.employeeStatus),
        personnelNumber: row.personnelNumber,
        ownerPersonnelNumber: row.ownerPersonnelNumber,
        division: row.division,
        billingType: wordFor(language, 'billingType', row.billingType),
        street: row.street,
        zip: row.zip,
        city: row.city,
        state: row.isEnded ? 'ended' : 'booked',
        since: row.since,
        endedAt: row.endedAt,
        fee: { cents: row.feeCents },
        energyFee: { cents: row.energyCents },
        charge: row.charge,
        amount: { cents: amount },
        verified: row.isVerified,
        payroll: payrollOf(row, amount),
        bkkNumber: isForBilling ? row.bkkNumber : '',
        bookingId: row.bookingId,
        courseId: row.courseId,
        webUserId: row.webUserId,
      }
    }),
  )
  return { table, people: peopleIn(rows) }
}

const PERSONNEL_NUMBERS = [1, 2]

/** Payroll deductions require a verified personnel number; other amounts are withheld until verification. */
function payrollOf(
  { billingType, isVerified, isOnPayroll }: repository.ListedBooking,
  amount: number,
): 'ready' | 'held' | '' {
  if (amount === 0 || !(isOnPayroll || PERSONNEL_NUMBERS.includes(billingType ?? 0))) return ''
  if (billingType !== null && !PERSONNEL_NUMBERS.includes(billingType)) return ''
  return isVerified ? 'ready' : 'held'
}

async function writeWaiting(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const rows = await repository.listWaits(db, seasonId)
  const table = toTable(
    [...COURSE, 'position', ...NAME, 'phone', 'since'],
    rows.map(row => ({ ...row, ...courseCells(language, row) })),
  )
  return { table, people: peopleIn(rows) }
}

async function writeParticipants(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const rows = await repository.listPlaces(db, seasonId)
  const table = toTable(
    [...COURSE, ...NAME, 'phone', 'employeeStatus', 'verified'],
    rows.map(row => ({
      ...courseCells(language, row),
      familyName: row.familyName,
      givenName: row.givenName,
      email: row.email,
      phone: row.phone,
      employeeStatus: wordFor(language, 'employeeStatus', row.employeeStatus),
      verified: row.isVerified,
    })),
  )
  return { table, people: peopleIn(rows) }
}

async function writeAttendance(db: Database, wanted: Wanted): Promise<Written> {
  const { seasonId, language } = wanted
  const rows = await repository.listPlaces(db, seasonId)
  const count = await readLessons(db, wanted)
  const table = toTable(
    [...COURSE, ...NAME, 'planned', 'held', 'present', 'missed', 'unrecorded', 'needed', 'regular'],
    rows.map(row => {
      const counted = count(row)
      return {
        ...courseCells(language, row),
        familyName: row.familyName,
        givenName: row.givenName,
        email: row.email,
        planned: counted.planned,
        held: counted.held,
        present: counted.present,
        missed: Math.max(0, counted.held - counted.present - counted.unrecorded),
        unrecorded: counted.unrecorded,
        needed: counted.needed,
        regular: isRegular(counted, row.isClosed),
      }
    }),
  )
  return { table, people: peopleIn(rows) }
}

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part * 100) / whole))

async function writeUtilisation(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const courses = await repository.listFilledCourses(db, seasonId)
  const table = toTable(
    [
      ...COURSE,
      'category',
      'site',
      'venue',
      'weekdays',
      'startTime',
      'endTime',
      'places',
      'booked',
      'waiting',
      'utilisation',
      'lessons',
      'held',
      'present',
      'presentPerLesson',
    ],
    courses.map(course => ({
      ...courseCells(language, course),
      category: pickText(language, course.category, course.category2),
      site: course.site,
      venue: course.venue,
      weekdays: course.weekdays.join(' '),
      startTime: course.startTime,
      endTime: course.endTime,
      places: course.places,
      booked: course.booked,
      waiting: course.waiting,
      utilisation: percent(course.booked, course.places),
      lessons: course.lessons,
      held: course.held,
      present: course.present,
      presentPerLesson: course.held === 0 ? null : { cents: (course.present * 100) / course.held },
    })),
  )
  return { table, people: [] }
}

/** Held lessons by instructor, each with its minutes: what fees are paid by. */
async function writeHours(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const lessons = await repository.listTaughtLessons(db, seasonId)
  const table = toTable(
    [...NAME, 'date', 'startTime', 'endTime', 'minutes', 'season', 'courseNumber', 'course', 'substitute', 'present'],
    lessons.map(({ number, course, course2, isSubstitute, ...lesson }) => ({
      ...lesson,
      courseNumber: number,
      course: pickText(language, course, course2),
      substitute: isSubstitute,
    })),
  )
  return { table, people: [] }
}

const WRITERS: Record<contract.OfficeList, (db: Database, wanted: Wanted) => Promise<Written>> = {
  bookings: writeBookings,
  waiting: writeWaiting,
  participants: writeParticipants,
  attendance: writeAttendance,
  utilisation: writeUtilisation,
  hours: writeHours,
}

export const getOfficeList = (db: Database, list: contract.OfficeList, wanted: Wanted): Promise<Written> =>
  WRITERS[list](db, wanted)

export async function getUtilisation(
  db: Database,
  seasonId: number | null,
): Promise<ResponseOf<typeof contract.getUtilisation>> {
  const courses = await repository.listFilledCourses(db, seasonId)
  const categories = new Map(courses.map(course => [String(course.categoryId), course]))
  return {
    category: summarizeOccupancy(courses, ({ categoryId }) => [String(categoryId)]).map(sum => {
      const { category = '', category2 = '' } = categories.get(sum.key) ?? {}
      return { ...sum, name: category, name2: category2 }
    }),
    site: summarizeOccupancy(courses, ({ site }) => [site]),
    weekday: summarizeOccupancy(courses, ({ weekdays }) => weekdays.map(String)),
    hour: summarizeOccupancy(courses, ({ startTime }) => [startTime.slice(0, 2)]),
  }
}

/** The bookings in the order of `bookingIds`; one that does not exist is missing. */
export async function findBilledBookings(db: Database, bookingIds: number[], region: string): Promise<BilledBooking[]> {
  const rows = await repository.listBookingsById(db, bookingIds)
  const count = await readLessons(db, { seasonId: null, region, courseIds: rows.map(({ courseId }) => courseId) })
  const byId = new Map(rows.map(row => [row.bookingId, row]))
  return bookingIds.flatMap(id => {
    const row = byId.get(id)
    return row ? [presentBilled(row, row.state === BOOKING_STATUS.Booked ? amountOf(row, count(row)) : 0)] : []
  })
}

const presentBilled = (row: repository.ListedBooking, cents: number): BilledBooking => ({
  bookingId: row.bookingId,
  courseId: row.courseId,
  webUserId: row.webUserId,
  bookingStatus: row.isEnded ? BOOKING_STATUS.NotBooked : row.state,
  since: row.since.replace(' ', 'T'),
  endedAt: row.endedAt?.replace(' ', 'T') ?? null,
  employeeStatus: row.employeeStatus,
  personnelNumber: row.personnelNumber,
  ownerPersonnelNumber: row.ownerPersonnelNumber,
  division: row.division,
  billingType: row.billingType,
  fee: row.feeCents / 100,
  energyFee: row.energyCents / 100,
  charge: isOneOf(CHARGES, row.charge) ? row.charge : 'none',
  amount: cents / 100,
  isVerified: row.isVerified,
  isOnPayroll: row.isOnPayroll,
})

const FIRST: repository.ChangePosition = { cluster: '0', transaction: '0', bookingId: 0 }
const positionOf = (cursor: string): repository.ChangePosition => {
  const [cluster = '', transaction = '', bookingId = ''] = cursor.split('.')
  return { cluster, transaction, bookingId: Number(bookingId) }
}
const cursorOf = ({ cluster, transaction, bookingId }: repository.ChangePosition) =>
  `${cluster}.${transaction}.${bookingId}`

/** Bookings written since a cursor, all without one. `cursor` continues after the page; `next` too, if more are there. */
export async function listBookingChanges(db: Database, since: string | undefined, limit: number, region: string) {
  const after = since === undefined ? FIRST : positionOf(since)
  const changes = await repository.listChangedBookings(db, after, limit + 1)
  const page = changes.slice(0, limit)
  const ids = page.map(({ bookingId }) => bookingId)
  const cursor = cursorOf(page.at(-1) ?? after)
  return { items: await findBilledBookings(db, ids, region), next: changes.length > limit ? cursor : null, cursor }
}
