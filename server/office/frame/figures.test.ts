import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import * as money from '#contract/office/money.ts'
import { listOfficeCourses } from '#contract/office/office.ts'
import { listOfficeSeasons } from '#contract/office/programme.ts'
import { getToday, TODAY_TASKS } from '#contract/office/today.ts'
import { RIGHTS } from '#contract/values.ts'
import { loadDemoProgramme } from '#server/features/programme/demo.ts'
import { openTestDesk } from '#server/test/office.ts'
import { openTestServer } from '#server/test/server.ts'

const server = await openTestServer()
// The demo is loaded into an empty database only.
await loadDemoProgramme(server.db, { region: 'DE-NI' })
const { token, act } = await openTestDesk(server, RIGHTS)

/** All rows of a list, read in small pages. */
async function readAll<Row>(endpoint: Endpoint, query: Record<string, string> = {}): Promise<Row[]> {
  const rows: Row[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = (
      await server.request(endpoint, { query: { ...query, limit: '37', ...(after && { after }) } as never, token })
    ).body as { items: Row[]; next: string | null }
    rows.push(...page.items)
    after = page.next
  }
  return rows
}
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
type CourseRow = { places: number; booked: number; waiting: number; cancelled: boolean }

test('each figure of Today is the number of rows of the list to which it leads', async () => {
  const { totals } = (await server.request(getToday, { token })).body
  expect(Object.keys(totals).sort()).toEqual([...TODAY_TASKS].sort())
  for (const all of TODAY_TASKS) {
    let rows = 0
    for (let after: string | null = ''; after !== null; ) {
      const query: Record<string, string> = { all, limit: '13', ...(after && { after }) }
      const page = (await server.request(getToday, { query: query as never, token })).body
      rows += page[all]?.length ?? 0
      after = page.next ?? null
    }
    expect([all, rows]).toEqual([all, totals[all]])
  }
  expect(Object.values(totals).some(total => total > 0)).toBe(true)
})

test('each figure of a season is the number of its courses, and the sum over them', async () => {
  const seasons = await readAll<{ id: number; courses: number; places: number; booked: number; waiting: number }>(
    listOfficeSeasons,
  )
  expect(seasons.length).toBeGreaterThan(1)
  for (const { id, courses, places, booked, waiting } of seasons) {
    const rows = await readAll<CourseRow>(listOfficeCourses, { seasonId: String(id) })
    const taking = rows.filter(({ cancelled }) => !cancelled)
    expect({ id, courses, places, booked, waiting }).toEqual({
      id,
      courses: taking.length,
      places: sum(taking, row => row.places),
      booked: sum(taking, row => row.booked),
      waiting: sum(taking, row => row.waiting),
    })
  }
})

test('each figure of the money screen is the number of rows and the sum of its list', async () => {
  const { toSettle } = (await server.request(money.getOfficeMoney, { query: {}, token })).body
  const courseIds = toSettle.map(({ courseId }) => courseId)
  if (courseIds.length > 0)
    expect(await act({ kind: 'settle-courses', courseIds, reason: 'Ohne Listen' })).toMatchObject({ status: 'Ok' })
  for (const batchKind of ['payroll', 'invoice'] as const) await act({ kind: 'create-batch', batchKind })
  expect((await readAll(money.listSettlements)).length).toBeGreaterThanOrEqual(courseIds.length)
  const { held, proofs } = (await server.request(money.getOfficeMoney, { query: {}, token })).body
  expect(await readAll(money.listOfficeProofs, { state: 'open' })).toHaveLength(proofs.open)
  for (const { cause, count, amount } of held) {
    const rows = await readAll<{ amount: number }>(money.listHeld, { cause })
    expect([cause, rows.length, sum(rows, row => Math.round(row.amount * 100))]).toEqual([
      cause,
      count,
      Math.round(amount * 100),
    ])
  }
  for (const { id, count } of await readAll<{ id: number; count: number }>(money.listBatches)) {
    const { lines } = (await server.request(money.getBatch, { params: { id }, token })).body
    expect([id, lines.filter(({ amount }) => amount !== 0).length]).toEqual([id, count])
  }
})
