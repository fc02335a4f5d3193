import * as contract from '#contract/office.ts'
import type { ServerContext } from '#server/context.ts'
import { findDeskView } from '#server/features/bookings/desk-service.ts'
import type { Api } from '#server/http/mount.ts'
import { notFound } from '#server/http/problems.ts'
import { findCourseColumns } from './programme-repository.ts'
import * as repository from './read-repository.ts'
import { pageOf, toPage } from './read-rules.ts'
import { listRightHolders } from './rights-repository.ts'

/** What the department looks at; whoever shows up by name can see who looked. */
export function mountOfficeReads(api: Api, { db, config }: ServerContext): void {
  api.mount(contract.listOfficeCourses, async ({ query }) => {
    const page = pageOf(query)
    return toPage(await repository.listCourses(db, query.seasonId ?? null, page), page.limit, ({ id }) => id)
  })

  api.mount(contract.getOfficeCourse, async ({ params, session, shows }) => {
    const version = await repository.findVersionOfCourse(db, params.id)
    const view = version === null ? null : await findDeskView(db, config.region, params.id, session.id)
    if (version === null || view === null) throw notFound()
    const mayNamePeople = session.rights.includes('bookings')
    const all = mayNamePeople ? await repository.listPeopleOfCourse(db, params.id) : []
    shows(all.map(({ webUserId }) => webUserId))
    const people = (isWanted: (person: (typeof all)[number]) => boolean) =>
      all.filter(isWanted).map(({ state, isEnded, ...person }) => person)
    const record = await repository.listRecord(
      db,
      { kind: 'send-message', course: params.id },
      { limit: 100, after: 0 },
    )
    return {
      version,
      course: view.shown,
      columns: await findCourseColumns(db, params.id),
      lessons: await repository.listLessons(db, params.id),
      booked: people(({ state, isEnded }) => state === 1 && !isEnded),
      waiting: people(({ state, isEnded }) => state === 2 && !isEnded),
      former: people(({ isEnded }) => isEnded),
      messages: mayNamePeople ? record.map(({ recordId, at, kind, text }) => ({ recordId, at, kind, text })) : [],
    }
  })

  api.mount(contract.listRights, async ({ shows }) => {
    const items = await listRightHolders(db)
    shows(items.map(({ webUserId }) => webUserId))
    return { items, next: null }
  })

  api.mount(contract.listRooms, async ({ query }) => {
    const page = pageOf(query)
    return toPage(await repository.listRooms(db, page), page.limit, ({ roomId }) => roomId)
  })

  api.mount(contract.listRecord, async ({ query }) => {
    const page = pageOf(query)
    const { kind, person, course, from, to } = query
    const wanted = {
      ...(kind !== undefined && { kind }),
      ...(person !== undefined && { person }),
      ...(course !== undefined && { course }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    }
    const rows = (await repository.listRecord(db, wanted, page)).map(row => ({ ...row, line: JSON.parse(row.line) }))
    return toPage(rows, page.limit, ({ recordId }) => recordId)
  })

  api.mount(contract.listOwnReads, async ({ query, session }) => {
    const page = pageOf(query)
    const { items, next } = toPage(await repository.listOwnReads(db, session.id, page), page.limit, ({ id }) => id)
    return { items: items.map(({ id, ...read }) => read), next }
  })
}
