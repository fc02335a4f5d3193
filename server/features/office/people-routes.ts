import type { Endpoint } from '#contract/endpoint.ts'
import * as office from '#contract/office.ts'
import * as contract from '#contract/office-people.ts'
import type { ServerContext } from '#server/context.ts'
import { exportPersonalData } from '#server/features/accounts/personal-data-service.ts'
import type { Api, Call, Handler, SessionUser } from '#server/http/mount.ts'
import { notFound } from '#server/http/problems.ts'
import { printDocument } from '#server/pdf/printer.ts'
import { layOutLetter, subjectOf } from './letter-service.ts'
import { sumUpUtilisation, writeList } from './list-service.ts'
import { presentProfile } from './person-model.ts'
import * as repository from './person-repository.ts'
import { insertReads } from './read-repository.ts'
import { pageOf, toPage } from './read-rules.ts'

const LIST = /^(\w+)\.csv$/
const isList = (name: string): name is contract.OfficeList =>
  (contract.OFFICE_LISTS as readonly string[]).includes(name)

/** People, what is written to them, and lists: whoever shows up by name can see who looked. */
export function mountOfficePeople(api: Api, { db, config }: ServerContext): void {
  const mountShowing = <E extends Endpoint>(
    endpoint: E,
    call: string,
    handler: (call: Call<E>, shows: (people: (number | null)[]) => void) => ReturnType<Handler<E>>,
  ) =>
    api.mount(endpoint, async received => {
      const shown: (number | null)[] = []
      const answer = await handler(received, people => void shown.push(...people))
      const { id, rights } = received.session as SessionUser
      await insertReads(db, { readerId: id, reader: rights.join(', '), call, people: [...new Set(shown)] })
      return answer
    })

  mountShowing(office.listOfficePeople, 'listOfficePeople', async ({ query, session }, shows) => {
    const page = pageOf(query)
    const rows = await repository.listPeople(db, query.q ?? '', page)
    shows([null])
    const isWhole = session.rights.includes('bookings')
    const shown = rows.map(({ id, name, email, ...more }) => ({ id, name, email, ...(isWhole && more) }))
    return toPage(shown, page.limit, ({ id }) => id)
  })

  mountShowing(contract.getOfficePerson, 'getOfficePerson', async ({ params: { id }, session }, shows) => {
    const person = await repository.findPerson(db, id)
    if (person === null) throw notFound()
    shows([id])
    const { name, email } = person
    if (!session.rights.includes('bookings')) return { id, name, email }
    const [profile, bookings, documents, letters, similar] = await Promise.all([
      repository.findStoredFields(db, id),
      repository.listBookings(db, id),
      repository.listDocuments(db, id),
      repository.listLettersOf(db, id),
      repository.listSimilar(db, id),
    ])
    return { ...person, profile: presentProfile(profile), bookings, documents, letters: letters.map(present), similar }
  })

  mountShowing(contract.getOfficePersonData, 'getOfficePersonData', async ({ params: { id } }, shows) => {
    if ((await repository.findPerson(db, id)) === null) throw notFound()
    shows([id])
    return exportPersonalData(db, id, config)
  })

  api.mount(contract.listEligible, async ({ query: { limit = 100, after = '' } }) => {
    const rows = await repository.listEligible(db, { limit, after })
    const items = rows.slice(0, limit)
    return { items, next: rows.length > limit ? (items.at(-1)?.personnelNumber ?? null) : null }
  })

  const present = ({ id, createdAt, printedAt, ...letter }: repository.LetterRow) => {
    return { id, subject: subjectOf({ id, createdAt, printedAt, ...letter }, config), createdAt, printedAt }
  }

  mountShowing(contract.listLetters, 'listLetters', async ({ query }, shows) => {
    const page = pageOf(query)
    const { items, next } = toPage(await repository.listUnprintedLetters(db, page), page.limit, ({ id }) => id)
    shows(items.map(({ webUserId }) => webUserId))
    return { items: items.map(item => ({ ...present(item), webUserId: item.webUserId, name: item.name })), next }
  })

  mountShowing(contract.getLetter, 'getLetter', async ({ params: { id } }, shows) => {
    const letter = await repository.findLetter(db, id)
    if (letter === null) throw notFound()
    const content = await printDocument({ document: 'letter', letter: layOutLetter(letter, config) })
    shows([letter.webUserId])
    await repository.updatePrinted(db, id)
    return { fileName: `${subjectOf(letter, config)}.pdf`, content }
  })

  mountShowing(contract.getOfficeList, 'getOfficeList', async ({ params, query, language }, shows) => {
    const [, name = ''] = LIST.exec(params.file) ?? []
    if (!isList(name)) throw notFound()
    const { content, people } = await writeList(db, name, { seasonId: query.seasonId ?? null, language })
    shows(people)
    return { fileName: `${name}.csv`, content, mediaType: 'text/csv; charset=utf-8' }
  })

  api.mount(contract.getUtilisation, ({ query }) => sumUpUtilisation(db, query.seasonId ?? null))
}
