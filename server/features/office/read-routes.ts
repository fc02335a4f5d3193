import * as contract from '#contract/office.ts'
import type { ServerContext } from '#server/context.ts'
import { findDeskView } from '#server/features/bookings/desk-service.ts'
import { cancelDay, wallClockOf } from '#server/features/bookings/pricing-rules.ts'
import type { Api } from '#server/http/mount.ts'
import { notFound } from '#server/http/problems.ts'
import * as repository from './access-log-repository.ts'
import { findCourseColumns } from './programme-repository.ts'
import { findPage } from './read-rules.ts'
import { listRightHolders } from './rights-repository.ts'

/** What the department looks at; whoever shows up by name can see who looked. */
export function mountOfficeReads(api: Api, { db, config }: ServerContext): void {
  api.mount(contract.listOfficeCourses, ({ query }) =>
    findPage(query, 'id', page => repository.listCourses(db, query.seasonId ?? null, page)),
  )

  api.mount(contract.getOfficeCourse, async ({ params, session, shows }) => {
    const version = await repository.findVersionOfCourse(db, params.id)
    const view = version === null ? null : await findDeskView(db, config.region, params.id, session.id)
    if (version === null || view === null) throw notFound()
    const mayNamePeople = session.rights.includes('bookings')
    const all = mayNamePeople ? await repository.listPeopleOfCourse(db, params.id) : []
    shows(all.map(({ webUserId }) => webUserId))
    const people = (isWanted: (person: (typeof all)[number]) => boolean) =>
      all.filter(isWanted).map(({ state, isEnded, ...person }) => ({
        ...person,
        freeUntil: state === 1 && !isEnded ? cancelDay(view.facts, wallClockOf(person.since)) : null,
      }))
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

  api.mount(contract.listRooms, async ({ query }) => ({
    ...(await findPage(query, 'roomId', page => repository.listRooms(db, page))),
    unknown: await repository.listUnknownPlaces(db),
  }))

  api.mount(contract.listRecord, async ({ query }) => {
    const { kind, person, course, from, to } = query
    const wanted = {
      ...(kind !== undefined && { kind }),
      ...(person !== undefined && { person }),
      ...(course !== undefined && { course }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    }
    const { items, next } = await findPage(query, 'recordId', page => repository.listRecord(db, wanted, page))
    return { items: items.map(row => ({ ...row, line: JSON.parse(row.line) })), next }
  })

  api.mount(contract.listOwnReads, async ({ query, session }) => {
    const { items, next } = await findPage(query, 'id', page => repository.listOwnReads(db, session.id, page))
    return { items: items.map(({ id, ...read }) => read), next }
  })
}
