import { requiredRightsOf } from '#contract/acts/act.ts'
import { ACTS } from '#contract/acts/acts.ts'
import * as office from '#contract/office/office.ts'
import * as contract from '#contract/office/people.ts'
import { isOneOf, keysOf } from '#contract/records.ts'
import type { Right } from '#contract/values.ts'
import { exportPersonalData } from '#server/features/accounts/personal-data-service.ts'
import { findInvoicePdf } from '#server/features/money/invoice-repository.ts'
import { XLSX_MEDIA_TYPE } from '#server/office/frame/upload-service.ts'
import type { Config } from '#server/platform/config/config.ts'
import { readTable } from '#server/platform/files/file-reader.ts'
import { UnreadableFile } from '#server/platform/files/problems.ts'
import { privateJsonResponse } from '#server/platform/http/encoded-json.ts'
import type { Api } from '#server/platform/http/mount.ts'
import { findPage, toPage } from '#server/platform/http/pagination.ts'
import { forbidden, HttpProblem, notFound } from '#server/platform/http/problems.ts'
import { printDocument } from '#server/platform/pdf/printer.ts'
import type { ServerContext } from '#server/platform/runtime/context.ts'
import { translate } from '#server/platform/texts/translate.ts'
import { createFairQueue } from '#server/platform/throttle/fair-queue.ts'
import { createRateLimit } from '#server/platform/throttle/token-buckets.ts'
import { findBilledBookings, listBookingChanges } from './billed-booking-service.ts'
import * as hrList from './hr-list-repository.ts'
import * as letterRepository from './letter-repository.ts'
import { composeLetter, layOutLetterPdf, letterSubjectOf } from './letter-service.ts'
import { findTextColumns, toSheetName, toSheetRows, translateTable, writeCsv } from './list-rules.ts'
import { getCourseUtilisation, getPeopleReport } from './list-service.ts'
import * as messages from './message-repository.ts'
import * as repository from './person-repository.ts'
import {
  listBookingsWithCancellationDays,
  MASKED_INSURANCE_NUMBER,
  toPayerResponse,
  toProfileResponse,
} from './person-service.ts'
import { layOutPlantSecurityList, toPlantSecurityTable } from './plant-security-list-model.ts'
import * as gate from './plant-security-list-repository.ts'
import { listTimeline } from './timeline-repository.ts'

const LIST = /^(\w+)\.(csv|xlsx)$/
const hasAny = (rights: readonly Right[], wanted: readonly Right[]) => wanted.some(right => rights.includes(right))
const isList = (name: string) => isOneOf(contract.OFFICE_LIST_NAMES, name)

/**
 * Mounts the endpoints for people, for messages to them, and for lists. Each access to personal data is recorded in the
 * access log.
 */
export function mountOfficePeople(api: Api, context: ServerContext): void {
  mountPeople(api, context)
  mountMessages(api, context)
  // The endpoints of the site access lists are mounted first, because the path of the other lists would match theirs.
  mountGateLists(api, context)
  mountLists(api, context)
}

const presentLetter = (letter: letterRepository.LetterRow, config: Config) => {
  const { id, createdAt, printedAt } = letter
  return { id, subject: letterSubjectOf(letter, config), createdAt, printedAt }
}

function mountPeople(api: Api, { db, config }: ServerContext): void {
  // Searches leave connections for other reads, however many are sent at once.
  const searches = createFairQueue({ atOnce: 2, perLane: 20, inAll: 100, patienceMs: 5_000 })
  api.mount(office.listOfficePeople, async ({ query, session, shows }) => {
    const isWhole = session.rights.includes('bookings')
    const filters = isWhole ? query : {}
    const { items, next } = await searches.run({ name: String(session.id) }, () =>
      findPage(query, 'id', page => repository.listPeople(db, query.q ?? '', filters, page)),
    )
    shows([null])
    return { items: items.map(({ id, name, email, ...more }) => ({ id, name, email, ...(isWhole && more) })), next }
  })

  api.mount(office.listDuplicates, async ({ query: { limit = 100, after = '' }, shows }) => {
    const { items, next } = toPage('key', await repository.listDuplicateAccounts(db, { limit, after }), limit)
    shows(items.flatMap(({ person, other }) => [person.id, other.id]))
    return { items: items.map(({ key, ...pair }) => pair), next }
  })

  api.mount(contract.getOfficePerson, async ({ params: { id }, session, shows }) => {
    const person = await repository.findPerson(db, id)
    if (person === null) throw notFound()
    shows([id])
    const { name, email } = person
    if (session.service) return toPayerResponse(person, await repository.findProfileFields(db, id))
    if (!session.rights.includes('bookings')) return { id, name, email }
    const [profile, bookings, guestLessons, documents, letters, similar] = await Promise.all([
      repository.findProfileFields(db, id),
      listBookingsWithCancellationDays(db, config.region, id),
      repository.listGuestLessons(db, id),
      repository.listDocuments(db, id),
      letterRepository.listLettersOfPerson(db, id),
      repository.listSimilarAccounts(db, id),
    ])
    return {
      ...person,
      profile: toProfileResponse(profile, session.rights.includes('billing')),
      bookings,
      guestLessons,
      documents,
      letters: letters.map(letter => presentLetter(letter, config)),
      similar,
    }
  })

  api.mount(contract.listTimeline, async ({ params: { id }, query: { limit = 100, after = '' }, session, shows }) => {
    if ((await repository.findPerson(db, id)) === null) throw notFound()
    shows([id])
    const seesAll = hasAny(session.rights, ['record', 'owner'])
    const rows = await listTimeline(
      db,
      id,
      { limit, after },
      {
        actKinds: seesAll ? null : keysOf(ACTS).filter(kind => hasAny(session.rights, requiredRightsOf(ACTS[kind]))),
        seesMoney: session.rights.includes('billing'),
      },
    )
    const present = ({ mail, ...row }: (typeof rows)[number]) =>
      mail === null ? row : { ...row, text: letterSubjectOf(mail, config) }
    return toPage('key', rows.map(present), limit)
  })

  api.mount(contract.getOfficePersonData, async ({ params: { id }, session, shows }) => {
    if ((await repository.findPerson(db, id)) === null) throw notFound()
    shows([id])
    const data = await exportPersonalData(db, id, config)
    const { bkkNumber } = data.profile
    if (session.rights.includes('billing') || bkkNumber === '') return data
    return { ...data, profile: { ...data.profile, bkkNumber: MASKED_INSURANCE_NUMBER } }
  })

  api.mount(contract.listEligible, async ({ query: { limit = 100, after = '' } }) => {
    const rows = await hrList.listHrListEntries(db, { limit, after })
    return toPage('personnelNumber', rows, limit)
  })
}

/** Mounts the endpoints for letters and for messages sent by staff. */
function mountMessages(api: Api, { db, config }: ServerContext): void {
  api.mount(contract.listLetters, async ({ query, shows }) => {
    const { items, next } = await findPage(query, 'id', page => letterRepository.listUnprintedLetters(db, page))
    shows(items.map(({ webUserId }) => webUserId))
    return {
      items: items.map(item => ({ ...presentLetter(item, config), webUserId: item.webUserId, name: item.name })),
      next,
    }
  })

  api.mount(contract.listDeskMessages, async ({ shows }) => {
    const [saved, sent] = [await messages.listSavedMessages(db), await messages.listSentMessages(db)]
    shows(saved.flatMap(({ to, toId }) => (to === 'person' && toId !== null ? [toId] : [])))
    return { saved, sent }
  })

  api.mount(contract.listMessageDeliveries, async ({ params: { id }, shows }) => {
    if (!(await messages.isSentMessage(db, id))) throw notFound()
    const items = await messages.listMessageDeliveries(db, id)
    shows(items.flatMap(({ webUserId }) => webUserId ?? []))
    return { items }
  })

  api.mount(contract.getLetter, async ({ params: { id }, shows }) => {
    const letter = await letterRepository.findLetter(db, id)
    if (letter === null) throw notFound()
    const { payload } = letter
    const invoice = 'isInvoiceLetter' in payload && payload.invoice ? await findInvoicePdf(db, payload.invoice) : null
    const content = invoice?.pdf ?? (await printDocument({ pdf: layOutLetterPdf(composeLetter(letter, config)) }))
    shows([letter.webUserId])
    await letterRepository.updateLettersPrinted(db, id)
    return { fileName: `${letterSubjectOf(letter, config)}.pdf`, content }
  })
}

/** Mounts the endpoints of the site access lists for plant security. */
function mountGateLists(api: Api, { db, config }: ServerContext): void {
  const readGate = async ({ date, site }: { date?: string | undefined; site?: string | undefined }) => {
    const day = date ?? (await gate.findServerDate(db))
    const entries = await gate.listPlantSecurityEntries(db, { day, site: site ?? null })
    return { day, entries, people: [...new Set(entries.map(({ webUserId }) => webUserId))] }
  }
  api.mount(contract.getGateList, async ({ query, language, shows }) => {
    const { day, entries, people } = await readGate(query)
    shows(people)
    const sites = query.site ? [query.site] : [...new Set(entries.map(({ site }) => site))]
    const portal = config.branding.portalName
    const content = await printDocument({ pdf: layOutPlantSecurityList({ day, sites, entries, language, portal }) })
    return { fileName: `gate-${day}.pdf`, content }
  })

  api.mount(contract.getGateTable, async ({ query, language, shows }) => {
    const { day, entries, people } = await readGate(query)
    shows(people)
    const content = writeCsv(toPlantSecurityTable(entries, language))
    return { fileName: `gate-${day}.csv`, content, mediaType: 'text/csv; charset=utf-8' }
  })
}

/**
 * Mounts the endpoints that export lists, serve bookings to API clients, convert tables from and to workbooks, and
 * report the utilisation of courses.
 */
function mountLists(api: Api, context: ServerContext): void {
  const { db, config } = context
  const takeTableSlot = createRateLimit(context, 'office-tables', { burst: 20, perMinute: 10 })

  api.mount(contract.getOfficeList, async ({ params, query, language, session, shows }) => {
    const [, name = '', format] = LIST.exec(params.file) ?? []
    if (!isList(name)) throw notFound()
    if (name === 'yearly' && !session.service && !session.rights.includes('billing')) throw forbidden()
    const { table: coded, people } = await getPeopleReport(db, name, {
      seasonId: query.seasonId ?? null,
      language,
      isForBilling: session.service ? session.service.scopes.includes('health') : session.rights.includes('billing'),
      region: config.region,
    })
    shows(people)
    const table = session.service ? coded : translateTable(coded, language)
    const title = session.service ? name : translate(language, `lists.name.${name}`)
    const fileName = `${title}.${format}`
    if (format === 'csv') return { fileName, content: writeCsv(table), mediaType: 'text/csv; charset=utf-8' }
    const content = await printDocument({
      sheets: [{ name: toSheetName(title), rows: toSheetRows(table), textColumns: findTextColumns(coded) }],
    })
    return { fileName, content, mediaType: XLSX_MEDIA_TYPE }
  })

  api.mount(contract.listOfficeBookings, async ({ query, session, shows }) => {
    const { limit = 100, after, changedSince, newest, ...filters } = query
    const list = { after: after ?? changedSince, limit, filters, isNewestFirst: newest !== undefined }
    const { items, ...page } = await listBookingChanges(db, list, config.region)
    shows([...new Set(items.map(({ booking }) => booking.webUserId))])
    return { items: items.map(({ booking, names }) => ({ ...booking, ...(!session.service && names) })), ...page }
  })

  api.mount(contract.getOfficeBooking, async ({ params: { id }, shows }) => {
    const [booking] = await findBilledBookings(db, [id], config.region)
    if (!booking) throw notFound()
    shows([booking.webUserId])
    return booking
  })

  api.mount(contract.readOfficeTable, async ({ file, session, language, request }) => {
    await takeTableSlot(String(session.id))
    try {
      return await privateJsonResponse(request, await readTable(String(session.id), file))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      throw new HttpProblem(400, 'http.badWorkbook', { reason: error.said.in(language) })
    }
  })

  api.mount(contract.writeOfficeTable, async ({ body: { name, rows }, session }) => {
    await takeTableSlot(String(session.id))
    const sheet = { name: toSheetName(name), rows: toSheetRows(rows), textColumns: findTextColumns(rows) }
    return { fileName: `${name}.xlsx`, content: await printDocument({ sheets: [sheet] }) }
  })

  api.mount(contract.getUtilisation, ({ query }) => getCourseUtilisation(db, query.seasonId ?? null))
}
