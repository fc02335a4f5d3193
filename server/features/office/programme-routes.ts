import * as contract from '#contract/office-programme.ts'
import type { ServerContext } from '#server/context.ts'
import type { Api } from '#server/http/mount.ts'
import { addDays } from '#server/import/cell-parsers.ts'
import { isHoliday } from '#server/import/schedule.ts'
import * as repository from './programme-read-repository.ts'
import { findPage, toPage } from './read-rules.ts'

/** A grid is looked at by week or month: no call reads the whole programme. */
const MAX_GRID_DAYS = 61

const listDays = (from: string, to: string): string[] =>
  Array.from({ length: Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1 }, (_, index) =>
    addDays(from, index),
  )

export function mountProgramme(api: Api, { db, config }: ServerContext): void {
  api.mount(contract.listOfficeSeasons, ({ query }) => findPage(query, 'id', page => repository.listSeasons(db, page)))

  api.mount(contract.getOfficeGrid, async ({ query }) => {
    const { monday, sunday } = await repository.findWeek(db)
    const from = query.from ?? (query.to === undefined ? monday : addDays(query.to, -6))
    const wanted = query.to ?? (query.from === undefined ? sunday : addDays(from, 6))
    const [last] = [wanted, addDays(from, MAX_GRID_DAYS)].sort()
    const to = last !== undefined && last > from ? last : from
    const holidays = listDays(from, to).filter(day => isHoliday(config.region, day))
    return { from, to, holidays, lessons: await repository.listGridLessons(db, { from, to }) }
  })

  api.mount(contract.listOfficeCategories, ({ query }) =>
    findPage(query, 'id', page => repository.listCategories(db, page)),
  )

  api.mount(contract.listOfficeDivisions, ({ query }) =>
    findPage(query, 'id', page => repository.listDivisions(db, page)),
  )

  api.mount(contract.listOfficeInstructors, async ({ query }) => {
    const { limit = 100, after = '' } = query
    const rows = await repository.listInstructors(db, limit, after)
    return toPage('email', rows, limit)
  })
}
