import type { Endpoint, ItemOf } from '#contract/endpoint.ts'
import * as money from '#contract/office/money.ts'
import { getOfficeCourse, listOfficeCourses } from '#contract/office/office.ts'
import { getUtilisation, listOfficeBookings } from '#contract/office/people.ts'
import { listOfficeSeasons } from '#contract/office/programme.ts'
import { getToday, TODAY_TASKS } from '#contract/office/today.ts'
import { addDays } from '#server/features/money/proof-rules.ts'
import type { TestAnswer, TestRequest } from './server.ts'

/** Calls an endpoint as an officer who may see everything. @returns the body of the response */
export type Read = <E extends Endpoint>(endpoint: E, request?: TestRequest<E>) => Promise<TestAnswer<E>['body']>
/** A figure that a desk screen shows, and the same figure counted in the list to which it leads. */
export type Figure = { figure: string; shown: number; counted: number }

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
/** Amounts are compared in cents. */
const cents = (rows: readonly { amount: number }[]) => sum(rows, ({ amount }) => Math.round(amount * 100))

/** All rows of a list, read page by page. */
export async function readAll<Row>(read: Read, endpoint: Endpoint, query: Record<string, string> = {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = (await read(endpoint, {
      query: { limit: '37', ...query, ...(after && { after }) } as never,
    })) as unknown as { items: Row[]; next: string | null }
    rows.push(...page.items)
    after = page.next
  }
  return rows
}

const listBookings = (read: Read, filters: Record<string, string>) =>
  readAll<ItemOf<typeof listOfficeBookings>>(read, listOfficeBookings, { newest: '1', limit: '500', ...filters })

/** The tasks and key figures of *Today*. */
async function readToday(read: Read): Promise<Figure[]> {
  const { totals, figures, date } = await read(getToday)
  const found: Figure[] = []
  for (const all of TODAY_TASKS) {
    let counted = 0
    for (let after: string | null = ''; after !== null; ) {
      const query: Record<string, string> = { all, limit: '13', ...(after && { after }) }
      const page = await read(getToday, { query: query as never })
      counted += page[all]?.length ?? 0
      after = page.next ?? null
    }
    found.push({ figure: `Today: ${all}`, shown: totals[all] ?? -1, counted })
  }
  if (!figures) return found
  const booked = await listBookings(read, { state: 'booked', current: '1' })
  const waiting = await listBookings(read, { state: 'waiting', current: '1' })
  const recent = await listBookings(read, { from: addDays(date, 1 - figures.daily.length) })
  return [
    ...found,
    { figure: 'Today: booked', shown: figures.booked, counted: booked.length },
    { figure: 'Today: waiting', shown: figures.waiting, counted: waiting.length },
    {
      figure: 'Today: courses with waiting people',
      shown: figures.waitingCourses,
      counted: new Set(waiting.map(({ courseId }) => courseId)).size,
    },
    { figure: 'Today: bookings per day', shown: sum(figures.daily, count => count), counted: recent.length },
  ]
}

const COURSE_FIGURES = ['places', 'booked', 'waiting'] as const

/** The figures of each season, of its courses and of its utilisation. */
async function readSeasons(read: Read): Promise<Figure[]> {
  const found: Figure[] = []
  for (const season of await readAll<ItemOf<typeof listOfficeSeasons>>(read, listOfficeSeasons)) {
    const seasonId = String(season.id)
    const courses = await readAll<ItemOf<typeof listOfficeCourses>>(read, listOfficeCourses, { seasonId })
    const taking = courses.filter(({ cancelled }) => !cancelled)
    const { category, site } = await read(getUtilisation, { query: { seasonId } })
    const of = `Season ${season.id}:`
    found.push({ figure: `${of} courses`, shown: season.courses, counted: taking.length })
    for (const key of COURSE_FIGURES) {
      found.push({ figure: `${of} ${key}`, shown: season[key], counted: sum(taking, row => row[key]) })
      for (const [name, groups] of Object.entries({ category, site }))
        found.push({ figure: `${of} ${key} by ${name}`, shown: season[key], counted: sum(groups, row => row[key]) })
    }
    for (const state of ['booked', 'waiting'] as const) {
      const { length } = await listBookings(read, { seasonId, state })
      found.push({ figure: `${of} list of ${state}`, shown: season[state], counted: length })
    }
    for (const { id, number, booked, waiting } of courses) {
      const people = await read(getOfficeCourse, { params: { id } })
      found.push(
        { figure: `${of} ${number} booked`, shown: booked, counted: people.booked.length },
        { figure: `${of} ${number} waiting`, shown: waiting, counted: people.waiting.length },
      )
    }
  }
  return found
}

/** The figures of the money screen. */
async function readMoney(read: Read): Promise<Figure[]> {
  const { held, proofs } = await read(money.getOfficeMoney, { query: {} })
  const open = await readAll(read, money.listOfficeProofs, { state: 'open' })
  const found: Figure[] = [{ figure: 'Money: open proofs', shown: proofs.open, counted: open.length }]
  for (const { cause, count, amount } of held) {
    const rows = await readAll<ItemOf<typeof money.listHeld>>(read, money.listHeld, { cause })
    found.push(
      { figure: `Money: held, ${cause}`, shown: count, counted: rows.length },
      { figure: `Money: cents held, ${cause}`, shown: Math.round(amount * 100), counted: cents(rows) },
    )
  }
  for (const { id, count } of await readAll<ItemOf<typeof money.listBatches>>(read, money.listBatches)) {
    const { lines } = await read(money.getBatch, { params: { id } })
    const payers = lines.flatMap(line => (line.amount === 0 ? [] : (line.webUserId ?? line.reference)))
    found.push({ figure: `Money: run ${id}`, shown: count, counted: new Set(payers).size })
  }
  return found
}

/** Every figure of *Today*, the seasons and the money screen, beside the rows of its list. */
export const readFigures = async (read: Read): Promise<Figure[]> => [
  ...(await readToday(read)),
  ...(await readSeasons(read)),
  ...(await readMoney(read)),
]

/** The figures that differ from their lists. */
export const wrongFigures = (figures: readonly Figure[]): Figure[] =>
  figures.filter(({ shown, counted }) => shown !== counted)
