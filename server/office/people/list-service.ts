import type { ResponseOf } from '#contract/endpoint.ts'
import type * as contract from '#contract/office/people.ts'
import { hasRegularAttendance, isAttendanceFinal } from '#contract/rules/money-rules.ts'
import type { Language } from '#contract/values.ts'
import { textInLanguage } from '#contract/words.ts'
import type { Database } from '#server/platform/db/client.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { calculateAmountsDue, createAttendanceCounter } from './billed-booking-service.ts'
import * as repository from './list-repository.ts'
import { type ListTable, summarizeOccupancy, toListTable } from './list-rules.ts'

/** `isForBilling`: whether the user may see health insurance numbers */
type Wanted = { seasonId: number | null; language: Language; isForBilling: boolean; region: string }
type Written = { table: ListTable; people: number[] }

const COURSE = ['season', 'courseNumber', 'course', 'start', 'end'] as const
/** Id columns, named as in webhooks and in the JSON format of these bookings. */
const IDS = ['bookingId', 'courseId', 'webUserId'] as const
const NAME = ['familyName', 'givenName', 'email'] as const

const courseCells = (
  language: Language,
  { season, season2, number, course, course2, start, end }: repository.OfCourse,
) => ({
  season: textInLanguage(language, season, season2),
  courseNumber: number,
  course: textInLanguage(language, course, course2),
  start,
  end,
})
const wordFor = (language: Language, list: 'employeeStatus' | 'billingType', value: number | null) =>
  value === null ? '' : translate(language, `attendance.list.${list}.${value}`)

const peopleIn = (rows: { webUserId: number }[]) => [...new Set(rows.map(({ webUserId }) => webUserId))]

/** Lists the amount due for each booking. For a cancelled booking, only the charge set by the department is due. */
async function writeBookings(db: Database, wanted: Wanted): Promise<Written> {
  const { seasonId, language, isForBilling } = wanted
  const rows = await repository.listSeatBookings(db, seasonId)
  const count = await createAttendanceCounter(db, wanted)
  const amounts = calculateAmountsDue(rows, count)
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
  const table = toListTable(
    columns,
    rows.map(row => {
      const amount = amounts.get(row.bookingId) ?? 0
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

/**
 * Payroll deduction for a booking. It requires a verified personnel number; until verification the amount is withheld.
 */
function payrollOf(
  { billingType, isVerified, isOnPayroll }: repository.ListedBooking,
  amount: number,
): 'ready' | 'held' | '' {
  if (amount === 0 || !(isOnPayroll || PERSONNEL_NUMBERS.includes(billingType ?? 0))) return ''
  if (billingType !== null && !PERSONNEL_NUMBERS.includes(billingType)) return ''
  return isVerified ? 'ready' : 'held'
}

async function writeWaiting(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const rows = await repository.listWaitingListEntries(db, seasonId)
  const table = toListTable(
    [...COURSE, 'position', ...NAME, 'phone', 'since'],
    rows.map(row => ({ ...row, ...courseCells(language, row) })),
  )
  return { table, people: peopleIn(rows) }
}

async function writeParticipants(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const rows = await repository.listSeats(db, seasonId, 'active')
  const table = toListTable(
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
  const rows = await repository.listSeats(db, seasonId, 'attending')
  const count = await createAttendanceCounter(db, wanted)
  const table = toListTable(
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
        regular:
          row.placeUntil === null && isAttendanceFinal(counted, row.isClosed)
            ? hasRegularAttendance(counted, row.isClosed)
            : null,
      }
    }),
  )
  return { table, people: peopleIn(rows) }
}

const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part * 100) / whole))

async function writeUtilisation(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const courses = await repository.listCourseOccupancy(db, seasonId)
  const table = toListTable(
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
      category: textInLanguage(language, course.category, course.category2),
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

/**
 * Lists the lessons that each instructor taught, with their duration in minutes, on which the instructors' fees are
 * based.
 */
async function writeHours(db: Database, { seasonId, language }: Wanted): Promise<Written> {
  const lessons = await repository.listTaughtLessons(db, seasonId)
  const table = toListTable(
    [...NAME, 'date', 'startTime', 'endTime', 'minutes', 'season', 'courseNumber', 'course', 'substitute', 'present'],
    lessons.map(({ season, season2, number, course, course2, isSubstitute, ...lesson }) => ({
      ...lesson,
      season: textInLanguage(language, season, season2),
      courseNumber: number,
      course: textInLanguage(language, course, course2),
      substitute: isSubstitute,
    })),
  )
  return { table, people: [] }
}

/**
 * Lists the hours that each instructor taught by month and their fee, with a column in which they are approved. Lessons without
 * recorded attendance are counted, because nobody has confirmed that they took place.
 */
async function writeTimesheet(db: Database, { seasonId }: Wanted): Promise<Written> {
  const lessons = await repository.listTaughtLessons(db, seasonId)
  const months = Map.groupBy(lessons, ({ email, date }) => `${email} ${date.slice(0, 7)}`)
  const rows = [...months.values()].flatMap(taught => {
    const [first] = taught
    if (first === undefined) return []
    const minutes = taught.reduce((sum, lesson) => sum + lesson.minutes, 0)
    return {
      familyName: first.familyName,
      givenName: first.givenName,
      email: first.email,
      month: first.date.slice(0, 7),
      lessons: taught.length,
      substituted: taught.filter(({ isSubstitute }) => isSubstitute).length,
      unrecorded: taught.filter(({ present }) => present === null).length,
      minutes,
      hours: { cents: Math.round((minutes * 100) / 60) },
      hourlyFee: first.hourlyFeeCents === 0 ? null : { cents: first.hourlyFeeCents },
      teachingFee: first.hourlyFeeCents === 0 ? null : { cents: Math.round((minutes * first.hourlyFeeCents) / 60) },
      approved: '',
    }
  })
  const hours = ['month', 'lessons', 'substituted', 'unrecorded', 'minutes', 'hours'] as const
  const columns = [...hours, 'hourlyFee', 'teachingFee', 'approved'] as const
  return { table: toListTable([...NAME, ...columns], rows), people: [] }
}

/** Lists what each person was charged, by calendar year, for payroll tax and for questions about a year. */
async function writeYearlySums(db: Database, { seasonId }: Wanted): Promise<Written> {
  const sums = await repository.listYearlySums(db, seasonId)
  const table = toListTable(
    [...NAME, 'personnelNumber', 'year', 'charged', 'waived', 'otherEntries', 'amount'],
    sums.map(({ chargedCents, waivedCents, reducedCents, totalCents, ...person }) => ({
      ...person,
      charged: { cents: chargedCents ?? 0 },
      waived: { cents: waivedCents ?? 0 },
      otherEntries: { cents: reducedCents ?? 0 },
      amount: { cents: totalCents },
    })),
  )
  return { table, people: [...new Set(sums.flatMap(({ webUserId }) => webUserId ?? []))] }
}

const WRITERS: Record<contract.OfficeListName, (db: Database, wanted: Wanted) => Promise<Written>> = {
  bookings: writeBookings,
  waiting: writeWaiting,
  participants: writeParticipants,
  attendance: writeAttendance,
  utilisation: writeUtilisation,
  hours: writeHours,
  timesheet: writeTimesheet,
  yearly: writeYearlySums,
}

export const getPeopleReport = (db: Database, list: contract.OfficeListName, wanted: Wanted): Promise<Written> =>
  WRITERS[list](db, wanted)

export async function getCourseUtilisation(
  db: Database,
  seasonId: number | null,
): Promise<ResponseOf<typeof contract.getUtilisation>> {
  const courses = await repository.listCourseOccupancy(db, seasonId)
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
