import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getWebUser } from '#contract/endpoints/accounts.ts'
import { exportPersonalData } from '#contract/endpoints/personal-data.ts'
import { checkSession } from '#contract/endpoints/session.ts'
import { foldText } from '#contract/normalize.ts'
import { listDuplicates, listOfficePeople, listOwnReads, listRights } from '#contract/office/office.ts'
import {
  getLetter,
  getOfficeList,
  getOfficePerson,
  getOfficePersonData,
  getUtilisation,
  listEligible,
  listLetters,
  listTimeline,
  type OfficeListName,
  readOfficeTable,
  writeOfficeTable,
} from '#contract/office/people.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { XLSX_MEDIA_TYPE } from '#server/office/frame/upload-service.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { readXlsx } from '#server/platform/files/read-xlsx.ts'
import { withParts } from '#server/platform/files/xlsx-parts.ts'
import {
  dateFromNow,
  insertBooking,
  insertCourse,
  insertDivision,
  insertSeason,
  insertSession,
  insertUserWithSession,
  insertWebUser,
} from '#server/test/factories.ts'
import { toCodes } from '#server/test/list-columns.ts'
import { insertPastCourse, insertPlace, insertProof } from '#server/test/money-scene.ts'
import { insertOfficer, openTestDesk, openTestOffice, openTestProgram, type TestAct } from '#server/test/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { buildWorkbook } from '#server/test/workbook.ts'

const { server, ...office } = await openTestOffice(['bookings'])
const { act } = office

const createPerson = async (fields: Omit<Extract<TestAct, { kind: 'create-person' }>, 'kind'>) =>
  Number((await act({ kind: 'create-person', ...fields })).result.webUserId)
const see = async (id: number) => (await server.request(getOfficePerson, { params: { id }, token: office.token })).body
async function readList(list: OfficeListName, query: Record<string, string> = {}) {
  const answer = await server.request(getOfficeList, { params: { file: `${list}.csv` }, query, token: office.token })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return { ...answer, text: Buffer.from(answer.body).toString('utf8') }
}
/** The rows of a list by its columns; none of these cells holds a semicolon. */
const rowsOf = (text: string) => {
  const [head = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\r\n')
  return toCodes(
    lines.map(line => Object.fromEntries(line.split(';').map((cell, index) => [head.split(';')[index], cell]))),
  )
}

test('a missing form of address is null in the office and in the download, not Frau', async () => {
  const person = await insertUserWithSession(server.db)
  expect((await see(person.id)).profile?.formOfAddress).toBeNull()
  const { body } = await server.request(exportPersonalData, { token: person.token })
  expect(body.profile.formOfAddress).toBeNull()
  const profile = await server.request(getWebUser, { token: person.token })
  expect(profile.body.formOfAddress).toBe('Frau')
})

describe('a person without an e-mail address', () => {
  test('has an empty address in every response, and is logged out when the last address is removed', async () => {
    const { id, token } = await insertUserWithSession(server.db, { email: `none ${randomUUID()}` })
    await server.db.execute(sql`insert into office_rights (web_user_id, "right") values (${id}, 'content')`)
    const owner = await insertOfficer(server, ['owner'])
    const shown = [
      (await server.request(getWebUser, { token })).body.email,
      (await server.request(checkSession, { query: {}, token })).body.userName,
      (await server.request(exportPersonalData, { token })).body.profile.email,
      (await see(id)).email,
      (await server.request(listRights, { token: owner.token })).body.items.find(one => one.webUserId === id)?.email,
    ]
    expect(shown).toEqual(['', '', '', '', ''])

    const other = await insertUserWithSession(server.db)
    await act({ kind: 'change-person', webUserId: other.id, email: '' })
    expect((await server.request(checkSession, { query: {}, token: other.token })).body.status).toBe('NotFound')
  })

  test('gets letters in their language, which are printed once', async () => {
    const course = await insertCourse(server.db, { name: 'Rückenfit', name2: 'Back fit' })
    const id = await createPerson({
      givenName: 'Otto',
      familyName: 'Ohnepost',
      street: 'Weg 1',
      zip: '30159',
      city: 'Hannover',
      employeeStatus: 1,
    })
    await act({ kind: 'book', courseId: course.id, webUserId: id })
    await server.db.execute(sql`update letters set language = 'en' where web_user_id = ${id}`)
    const { letters = [], version } = await see(id)
    expect(letters).toMatchObject([{ subject: expect.stringContaining('Back fit'), printedAt: null }])
    expect(version).toBe(1)
    const due = async () =>
      (await server.request(listLetters, { token: office.token })).body.items.filter(one => one.webUserId === id)
    expect(await due()).toHaveLength(1)
    const letter = await server.request(getLetter, { params: { id: letters[0]?.id ?? 0 }, token: office.token })
    expect(letter.headers.get('Content-Type')).toBe('application/pdf')
    const [page = ''] = readPdfPages(letter.body)
    const { branding } = server.context.config
    for (const part of ['Otto Ohnepost Weg 1 30159 Hannover', 'Back fit', branding.portalName, branding.phone])
      expect(page).toContain(part)
    expect(page).not.toMatch(/https?:|none /)
    expect(await due()).toEqual([])
    expect((await see(id)).letters?.[0]?.printedAt).toBeTruthy()
  })
})

describe('access log', () => {
  test('opening a person is logged for that person, and an incremental search is logged once', async () => {
    const person = await insertUserWithSession(server.db, { familyName: 'Nachschau', givenName: 'Ida' })
    const reader = await insertOfficer(server, ['bookings'])
    for (const q of ['n', 'na', 'nachs', 'ida nachs', 'Nachschau, Ida', person.email])
      expect(
        (await server.request(listOfficePeople, { query: { q }, token: reader.token })).body.items.map(({ id }) => id),
      ).toContain(person.id)
    const lines = await server.db.query(sql`select web_user_id from office_reads where reader_id = ${reader.id}`)
    expect(lines).toEqual([{ web_user_id: null }])
    await server.request(getOfficePerson, { params: { id: person.id }, token: reader.token })
    await server.request(getOfficePersonData, { params: { id: person.id }, token: reader.token })
    const { items } = (await server.request(listOwnReads, { token: person.token })).body
    expect(items.map(({ by, call }) => [by, call])).toEqual([
      ['bookings', 'getOfficePersonData'],
      ['bookings', 'getOfficePerson'],
    ])
  })

  test('people are paginated and sorted by name', async () => {
    const names = ['Seitenweise Adam', 'Seitenweise Bea', 'Seitenweise Carl']
    for (const name of names.toReversed())
      await insertWebUser(server.db, { familyName: name.split(' ')[0], givenName: name.split(' ')[1] })
    const found: string[] = []
    let after = ''
    do {
      const query = { q: 'seitenweise', limit: '2', ...(after && { after }) }
      const { body } = await server.request(listOfficePeople, { query, token: office.token })
      found.push(...body.items.map(({ name }) => name))
      after = body.next ?? ''
    } while (after)
    expect(found).toEqual(['Adam Seitenweise', 'Bea Seitenweise', 'Carl Seitenweise'])
  })

  test.each([
    ['Müller', 'Jörg', ['mueller', 'Muller', 'müller joerg', 'MÜLLER', 'mülelr', 'mullr']],
    ['Öztürk', 'Şule', ['oezturk', 'ozturk', 'sule', 'öztrük']],
    ['Weiß', 'Aydın', ['weiss', 'aydin', 'Weiß Aydın']],
    ['Đorđević', 'Łukasz', ['dordevic', 'lukasz', 'ĐORĐEVIĆ ŁUKASZ']],
    ['Bjørnsøn', 'Ægir', ['bjornson', 'bjoernsoen', 'aegir']],
    [
      'Kesselring',
      'Ada',
      ['kessselring', 'kesselrin', 'keselring', 'kesslering', 'kesselirng', 'kelsselring', 'kesserling'],
    ],
  ])('%s %s is found in other spellings and with a typo', async (familyName, givenName, searches) => {
    const person = await insertWebUser(server.db, { familyName, givenName })
    for (const q of searches) {
      const { items } = (await server.request(listOfficePeople, { query: { q }, token: office.token })).body
      expect([q, items.map(({ id }) => id)]).toEqual([q, expect.arrayContaining([person.id])])
    }
    const folded = await server.db.one(sql`select fold_text(${`${familyName} ${givenName}`}) as text`)
    expect(folded).toEqual({ text: foldText(`${familyName} ${givenName}`) })
  })

  test('filters narrow the list and are ignored for an owner without the bookings permission', async () => {
    const division = await insertDivision(server.db)
    const course = await insertCourse(server.db)
    const [inSeason, other] = [
      await insertWebUser(server.db, { familyName: 'Filter', divisionId: division.id, employeeStatus: 2 }),
      await insertWebUser(server.db, {
        familyName: 'Filter',
        employeeStatus: 1,
        billingType: 1,
        personnelNumber: 'F-1',
      }),
    ]
    await insertBooking(server.db, course.id, inSeason.id)
    const { id: seasonId } = await server.db.one<{ id: number }>(
      sql`select season_id as id from courses where id = ${course.id}`,
    )
    const find = async (query: Record<string, string>, token = office.token) =>
      (await server.request(listOfficePeople, { query: { q: 'Filter', ...query }, token })).body.items.map(
        ({ id }) => id,
      )
    expect(await find({ seasonId: String(seasonId) })).toEqual([inSeason.id])
    expect(await find({ divisionId: String(division.id) })).toEqual([inSeason.id])
    expect(await find({ status: '1' })).toEqual([other.id])
    expect(await find({ unverified: '1' })).toEqual([other.id])
    expect(await find({ owes: '1' })).toEqual([])
    const owner = await insertOfficer(server, ['owner'])
    expect(await find({ status: '1' }, owner.token)).toHaveLength(2)
  })

  test('accounts of one person with different spellings are suspected duplicates', async () => {
    const [one, other] = [
      await insertWebUser(server.db, { familyName: 'Grünewald', givenName: 'Jürgen' }),
      await insertWebUser(server.db, { familyName: 'Gruenewald', givenName: 'Juergen' }),
    ]
    const { items } = (await server.request(listDuplicates, { token: office.token })).body
    const pair = items.find(({ person }) => person.id === one.id)
    expect(pair).toMatchObject({ other: { id: other.id }, why: 'name' })
    expect((await see(one.id)).similar?.map(({ id }) => id)).toEqual([other.id])
  })

  test('an owner sees only id, name and e-mail address', async () => {
    const person = await insertWebUser(server.db)
    const { token } = await insertOfficer(server, ['owner'])
    const params = { id: person.id }
    expect(Object.keys((await server.request(getOfficePerson, { params, token })).body).sort()).toEqual([
      'email',
      'id',
      'name',
    ])
    expect((await server.request(getOfficePersonData, { params, token })).status).toBe(403)
  })
})

test('the timeline of a person has calls, acts, e-mails, messages, bookings and, for billing, amounts, in one order', async () => {
  const person = await insertUserWithSession(server.db)
  const next = await insertCourse(server.db)
  await act({ kind: 'book', courseId: next.id, webUserId: person.id })
  const said = 'Fragt nach einem Parkplatz'
  expect(await act({ kind: 'note-call', webUserId: person.id, text: said })).toMatchObject({ status: 'Ok' })
  expect(await act({ kind: 'note-call', webUserId: 999_999, text: said })).toMatchObject({ status: 'Failed' })
  await act({ kind: 'cancel-booking', courseId: next.id, webUserId: person.id, charge: 'none', reason: 'Zu spät' })
  const read = async (token: string) => {
    const items = []
    for (let after: string | null = ''; after !== null; ) {
      const query: { limit: string; after?: string } = { limit: '2', ...(after && { after }) }
      const { body } = await server.request(listTimeline, { params: { id: person.id }, query, token })
      items.push(...body.items)
      after = body.next
    }
    return items
  }
  const entries = await read(office.token)
  expect(new Set(entries.map(({ key }) => key)).size).toBe(entries.length)
  expect(entries.map(({ key }) => key)).toEqual(
    entries
      .map(({ key }) => key)
      .toSorted()
      .reverse(),
  )
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'act', event: 'note-call', text: said }))
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'act', event: 'cancel-booking', text: 'Zu spät' }))
  expect(entries.filter(({ kind }) => kind === 'booking').map(({ event }) => event)).toEqual(['ended', 'booked'])
  expect(
    entries.filter(({ kind }) => kind === 'mail').every(({ text, isDone }) => text !== '' && isDone === false),
  ).toBe(true)
  expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['mail', 'message']))
  expect(entries.map(({ kind }) => kind)).not.toContain('money')
  const cashier = await openTestDesk(server, ['bookings', 'billing'])
  const added = {
    kind: 'add-entry',
    webUserId: person.id,
    entryKind: 'correction',
    amount: 12,
    reason: 'Matte',
  } as const
  expect(await cashier.act(added)).toMatchObject({ status: 'Ok' })
  const money = (await read(cashier.token)).filter(({ kind }) => kind === 'money')
  expect(money).toMatchObject([{ event: 'correction', amount: 12 }])
  expect((await read(office.token)).map(({ event }) => event)).not.toContain('add-entry')
  // Acts of the money screen, such as decisions about sick notes, are for those who may perform them.
  const proof = await insertProof(server.db, person.id, { kind: 'sick' })
  const billing = await insertOfficer(server, ['billing'])
  await office.send({ kind: 'decide-proof', proofId: proof.id, decision: 'accepted', reason: 'Attest' }, billing.token)
  expect((await read(office.token)).map(({ event }) => event)).not.toContain('decide-proof')
  expect((await read((await insertOfficer(server, ['bookings', 'record'])).token)).map(({ event }) => event)).toContain(
    'decide-proof',
  )
})

describe('the HR list', () => {
  test('verifies people on the list and holds back the others from payroll', async () => {
    const division = await insertDivision(server.db)
    const [on, off] = [
      await insertWebUser(server.db, { personnelNumber: 'H-1', billingType: 1 }),
      await insertWebUser(server.db, { personnelNumber: 'H-2', billingType: 1 }),
    ]
    const course = await insertCourse(server.db)
    for (const { id } of [on, off]) await insertBooking(server.db, course.id, id, { priceCents: 4500 })
    const row = { personnelNumber: 'H-1', divisionId: division.id, employeeStatus: 1 } as const
    const answer = await act({ kind: 'save-eligible', rows: [row, { personnelNumber: 'H-9' }] })
    expect(answer).toMatchObject({ status: 'Ok', result: { verified: 1, unverified: 0 } })
    expect([(await see(on.id)).isVerified, (await see(off.id)).isVerified]).toEqual([true, false])
    const { items } = (await server.request(listEligible, { token: office.token })).body
    expect(items).toEqual([
      { ...row, webUserId: on.id },
      { personnelNumber: 'H-9', divisionId: null, employeeStatus: null, webUserId: null },
    ])
    const rows = rowsOf((await readList('bookings', { seasonId: String(course.seasonId) })).text)
    expect(
      rows.map(({ personnelNumber, verified, payroll, amount }) => [personnelNumber, verified, payroll, amount]),
    ).toEqual([
      ['H-1', 'true', 'ready', '45,00'],
      ['H-2', 'false', 'held', '45,00'],
    ])

    // A later account with a number of the list is verified, a second one with the same number is not.
    const late = await insertWebUser(server.db, { personnelNumber: 'H-9' })
    const twin = await insertWebUser(server.db, { personnelNumber: 'H-9' })
    expect([(await see(late.id)).isVerified, (await see(twin.id)).isVerified]).toEqual([true, false])
    expect((await see(twin.id)).similar).toMatchObject([{ id: late.id }])

    expect(await act({ kind: 'save-eligible', rows: [{ personnelNumber: 'H-2' }] })).toMatchObject({
      result: { verified: 1, unverified: 1 },
    })
    expect([(await see(on.id)).isVerified, (await see(late.id)).isVerified]).toEqual([false, false])
    const twice = await act({ kind: 'save-eligible', rows: [{ personnelNumber: 'A' }, { personnelNumber: 'A' }] })
    expect(twice).toMatchObject({ status: 'Failed', message: expect.stringContaining('A') })
  })

  test('staff can verify a person, and a personnel number belongs to one account', async () => {
    const person = await createPerson({ familyName: 'Neu', employeeStatus: 1, personnelNumber: 'V-1' })
    expect((await see(person)).isVerified).toBe(false)
    expect(await act({ kind: 'verify-person', webUserId: person })).toMatchObject({ status: 'Ok', version: 2 })
    expect((await see(person)).isVerified).toBe(true)
    const taken = { employeeStatus: 1, personnelNumber: 'V-1' } as const
    expect(await act({ kind: 'create-person', familyName: 'Zweit', ...taken })).toMatchObject({ status: 'Failed' })
    const other = await createPerson({ familyName: 'Zweit', employeeStatus: 1 })
    expect(await act({ kind: 'change-person', webUserId: other, ...taken })).toMatchObject({ status: 'Failed' })
    const twin = await insertWebUser(server.db, { personnelNumber: 'V-1' })
    expect(await act({ kind: 'verify-person', webUserId: twin.id })).toMatchObject({ status: 'Failed' })
    await server.db.execute(
      sql`update web_users set employee_status = 1, personnel_number = 'V-9' where id = ${office.id}`,
    )
    expect(await act({ kind: 'verify-person', webUserId: office.id })).toMatchObject({ code: 'office.failed.ownMoney' })
    // A person billed to another person's personnel number may use that number.
    const guest = { employeeStatus: EMPLOYEE_STATUS.External, billingType: 2, personnelNumber: 'V-1' } as const
    expect(await act({ kind: 'create-person', familyName: 'Gast', ...guest })).toMatchObject({ status: 'Ok' })
    // The verification does not apply to another number.
    await act({ kind: 'change-person', webUserId: person, personnelNumber: 'V-2' })
    expect((await see(person)).isVerified).toBe(false)
    expect(await act({ kind: 'verify-person', webUserId: 2_000_000 })).toMatchObject({ status: 'Failed' })
  })
})

test('merging transfers everything except e-mail address, login and rights', async () => {
  const course = await insertCourse(server.db, { capacity: 2 })
  const [first, next] = [await insertWebUser(server.db), await insertWebUser(server.db)]
  const into = await insertUserWithSession(server.db)
  const from = await insertUserWithSession(server.db, { email: `none ${randomUUID()}` })
  for (const { id } of [first, from, into, next]) await insertBooking(server.db, course.id, id)
  const { seq } = await server.db.one<{ seq: number }>(sql`select seq from bookings where web_user_id = ${from.id}`)
  await act({ kind: 'send-message', to: 'person', id: from.id, mail: true, title: 'Hallo', text: 'Hallo' })
  await server.db.execute(sql`insert into follows (web_user_id, course_id) values (${from.id}, ${course.id})`)
  await server.db.execute(sql`
    insert into reminders select ${from.id}, true, true, true, true, true, true, true, true`)
  await server.db.execute(sql`insert into passkeys (id, web_user_id, public_key) values ('k', ${from.id}, '')`)
  const merged = await office.actAsPreviewed({ kind: 'merge-people', webUserId: from.id, intoWebUserId: into.id })
  // The existing message and letter are reassigned, and only the remaining address gets an e-mail.
  const consequences = { messages: 0, letters: 0, mails: 1, told: [{ id: into.id }] }
  expect(merged).toMatchObject({ status: 'Ok', result: { webUserId: into.id }, consequences })
  const kept = await server.db.one(sql`
    select email, (select count(*) from letters where web_user_id = u.id) as letters,
      (select count(*) from follows where web_user_id = u.id) as follows,
      (select count(*) from reminders where web_user_id = u.id) as reminders,
      (select count(*) from inbox_items where web_user_id = u.id) as messages,
      (select count(*) from passkeys where web_user_id = u.id) as passkeys,
      (select seq from bookings where web_user_id = u.id and cancelled_at is null) as seq
    from web_users u where id = ${into.id}`)
  expect(kept).toEqual({ email: into.email, letters: 1, follows: 1, reminders: 1, messages: 1, passkeys: 0, seq })
  expect((await see(next.id)).bookings).toMatchObject([{ bookingStatus: 2, position: 1 }])
  expect((await server.request(getOfficePerson, { params: { id: from.id }, token: office.token })).status).toBe(404)
  expect((await auditPortal(server.db)).findings.filter(line => line.startsWith(`course ${course.number}`))).toEqual([])

  const officer = await insertOfficer(server, ['owner'])
  const { token } = await insertOfficer(server, ['bookings', 'owner'])
  const away = { kind: 'merge-people', webUserId: officer.id, intoWebUserId: into.id } as const
  expect((await office.send(away, token)).body).toMatchObject({ status: 'Failed' })
})

describe('lists for a spreadsheet', () => {
  test('open in Excel, and no name becomes a formula', async () => {
    const course = await insertCourse(server.db, {
      capacity: 1,
      feeCents: 4500,
      name: 'Yoga; leicht',
      city: 'Hannover',
    })
    const evil = await insertWebUser(server.db, { familyName: '=1+1', givenName: 'Say "hi"', mobilePhone: '+49 511 5' })
    const waiting = await insertWebUser(server.db, { familyName: '@wait' })
    for (const { id } of [evil, waiting]) await insertBooking(server.db, course.id, id, { priceCents: 4500 })
    const query = { seasonId: String(course.seasonId) }
    const { headers, text, body } = await readList('participants', query)
    expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect([...body.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    expect(text).toContain(`;"Yoga; leicht";`)
    expect(text).toContain(`;'=1+1;"Say ""hi""";`)
    expect(text).toContain(';+49 511 5;')
    expect(text.endsWith('\r\n')).toBe(true)
    expect(text).not.toMatch(/[^\r]\n/)
    const waits = (await readList('waiting', query)).text
    expect(waits).toContain(`;1;'@wait;`)
    expect(waits).not.toContain('=1+1')
    expect((await readList('utilisation', query)).text).toMatch(/;1;1;1;100;/)
    const reads = (await server.request(listOwnReads, { token: await insertSession(server.db, evil.id) })).body.items
    expect(reads.map(({ call }) => call)).toEqual(['getOfficeList'])
    expect((await server.request(getUtilisation, { query, token: office.token })).body).toMatchObject({
      site: [{ key: 'Hannover', courses: 1, places: 1, booked: 1, waiting: 1 }],
      hour: [{ key: '18' }],
    })
    const unknown = await server.request(getOfficeList, { params: { file: 'passwords.csv' }, token: office.token })
    expect(unknown.status).toBe(404)

    // The same list for Excel: amounts are numbers, days are days, words stay words.
    const excel = await server.request(getOfficeList, { params: { file: 'bookings.xlsx' }, query, token: office.token })
    expect(excel.headers.get('Content-Type')).toBe(XLSX_MEDIA_TYPE)
    expect(excel.headers.get('Content-Disposition')).toContain('Buchungen.xlsx')
    const [sheet] = await readXlsx(Buffer.from(excel.body))
    const [head, ...rows] = sheet?.rows ?? []
    const read = rows.map(({ cells }) =>
      Object.fromEntries(head?.cells.map((name, at) => [name, cells[at] ?? '']) ?? []),
    )
    expect(read).toMatchObject([
      {
        Nachname: "'=1+1",
        Vorname: 'Say "hi"',
        Gebühr: '45.00',
        'Erster Tag': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    ])
    expect(head?.cells).toEqual((await readList('bookings', query)).text.slice(1).split('\r\n')[0]?.split(';'))
  })

  test('have names and weekdays that are numbers as text in a workbook', async () => {
    const season = await insertSeason(server.db, { name: '2027' })
    const place = { venue: '101', city: '38440', name: '360', seasonId: season.id }
    const course = await insertCourse(server.db, place)
    const division = await insertDivision(server.db, { name: '4100' })
    await insertBooking(server.db, course.id, (await insertWebUser(server.db, { divisionId: division.id })).id)
    const query = { seasonId: String(season.id) }
    const sheets = await Promise.all(
      ['bookings', 'utilisation'].map(async list => {
        const { body } = await server.request(getOfficeList, {
          params: { file: `${list}.xlsx` },
          query,
          token: office.token,
        })
        return withParts(Buffer.from(body), async read => [
          (await read('xl/worksheets/sheet1.xml')) ?? '',
          (await read('xl/sharedStrings.xml')) ?? '',
        ])
      }),
    )
    const [numbers, texts] = [0, 1].map(part => sheets.map(sheet => sheet[part]).join(''))
    for (const value of ['2027', '101', '38440', '360', '4100']) {
      expect(numbers).not.toContain(`<v>${value}</v>`)
      expect(texts).toContain(`>${value}<`)
    }
  })

  test('count a lesson as missed by who has no record although others were recorded', async () => {
    const course = await insertPastCourse(server.db, 2)
    await insertPlace(server.db, course, 1, { person: { familyName: 'Ahlers' } })
    await insertPlace(server.db, { ...course, lessonIds: [] }, 0, { person: { familyName: 'Berg' } })
    const { text } = await readList('attendance', { seasonId: String(course.seasonId) })
    expect(text).toMatch(/Ahlers;.*;2;2;1;1;0;2;nein\r/)
    expect(text).toMatch(/Berg;.*;2;2;0;2;0;2;nein\r/)
  })

  test('contain words in the user’s language, and codes for API clients', async () => {
    const course = await insertCourse(server.db, { feeCents: 4500 })
    const person = await insertWebUser(server.db, { personnelNumber: 'W-1', billingType: 1 })
    await insertBooking(server.db, course.id, person.id, { priceCents: 4500 })
    const query = { seasonId: String(course.seasonId) }
    const { headers } = await openTestProgram(server, ['lists'])
    const read = async (caller: { token: string; language?: 'en' } | { headers: Record<string, string> }) => {
      const { body } = await server.request(getOfficeList, { params: { file: 'bookings.csv' }, query, ...caller })
      return Buffer.from(body).toString('utf8')
    }
    const german = await read({ token: office.token })
    expect(german).toMatch(/^\uFEFFSaison;Kursnummer;Kurs;/)
    expect(german).toMatch(/;gebucht;.*;nein;zurückgehalten;/)
    expect(german).not.toMatch(/familyName|held|booked|true|false/)
    expect(await read({ token: office.token, language: 'en' })).toMatch(/;no;on hold;/)
    expect(await read({ headers })).toMatch(/;booked;.*;false;held;/)
  })

  test('an office table is exported as a workbook, and a workbook is read as rows', async () => {
    const rows = [
      ['Nummer', 'Name', 'Plätze'],
      ['0042', '=cmd()', 12],
      ['', '', ''],
      ['A-1', 'Müller; "Ida"', 0.5],
    ]
    const { token } = office
    const book = await server.request(writeOfficeTable, { body: { name: 'Kurse: [Herbst]', rows }, token })
    expect(book.headers.get('Content-Type')).toBe(XLSX_MEDIA_TYPE)
    const send = (content: Uint8Array, language: 'de' | 'en' = 'de') =>
      server.request(readOfficeTable, { file: new File([new Uint8Array(content)], 'a.xlsx'), token, language })
    expect((await send(book.body)).body).toEqual({
      sheet: 'Kurse   Herbst',
      rows: [['Nummer', 'Name', 'Plätze'], ['0042', "'=cmd()", '12'], [], ['A-1', 'Müller; "Ida"', '0.5']],
      hiddenRows: [],
      otherSheets: [],
    })
    const row = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`
    const three = await buildWorkbook({ sheets: { Hilfe: row('a'), Leer: '', HR: row('b'), Mehr: row('c') } })
    expect((await send(three)).body).toEqual({
      sheet: 'Hilfe',
      rows: [['a']],
      hiddenRows: [],
      otherSheets: ['HR', 'Mehr'],
    })
    const filtered = row('a') + row('b').replace('r="1"', 'r="3" hidden="1"').replace('A1', 'A3')
    expect((await send(await buildWorkbook({ sheets: { HR: filtered } }))).body).toMatchObject({
      rows: [['a'], [], ['b']],
      hiddenRows: [3],
    })
    const csv = (text: string, encoding: BufferEncoding, bom = '') =>
      server.request(readOfficeTable, { file: new File([Buffer.from(bom + text, encoding)], 'a.CSV'), token })
    const cells = ['Nummer', 'Müller; "Ida"']
    for (const content of [
      await csv('Nummer;"Müller; ""Ida"""', 'utf8'),
      await csv('sep=,\r\nNummer,"Müller; ""Ida"""', 'latin1'),
      await csv('Nummer\t"Müller; ""Ida"""', 'utf16le', '\uFEFF'),
    ])
      expect(content.body).toMatchObject({ sheet: '' })
    expect((await csv('Nummer\t"Müller; ""Ida"""', 'utf16le', '\uFEFF')).body).toEqual({
      sheet: '',
      rows: [cells],
      hiddenRows: [],
      otherSheets: [],
    })
    expect((await csv('a;b\r\r1;"x', 'utf8')).body).toMatchObject({
      message: expect.stringContaining('Zeile 3: eine Zelle'),
    })
    const wrong = await buildWorkbook({ sheets: { Leer: '', HR: '<row r="7"><c r="C7" t="e"><v>#REF!</v></c></row>' } })
    const [german, english] = [await send(wrong), await send(wrong, 'en')]
    expect([german.status, german.body]).toMatchObject([
      400,
      { message: 'Die Excel-Datei kann nicht gelesen werden: Blatt HR: C7 enthält einen Fehler der Tabelle: #REF!.' },
    ])
    expect(english.body).toMatchObject({ message: expect.stringContaining('sheet HR: C7 holds an error') })
    expect((await send(Buffer.from('number;name'))).status).toBe(400)
  })

  test('a late cancellation is charged, one in time is not', async () => {
    const course = await insertCourse(server.db, {
      feeCents: 4500,
      startsOn: dateFromNow(-60),
      endsOn: dateFromNow(30),
    })
    const people = [await insertWebUser(server.db), await insertWebUser(server.db), await insertWebUser(server.db)]
    for (const { id } of people)
      await insertBooking(server.db, course.id, id, {
        priceCents: 4500,
        bookedAt: new Date(`${dateFromNow(-70)}T12:00Z`),
      })
    const [late, kind] = people.map(({ id }) => id) as [number, number]
    const cancel = { kind: 'cancel-booking', courseId: course.id, reason: 'Anruf' } as const
    expect(await act({ ...cancel, webUserId: late, charge: 'full' })).toMatchObject({ status: 'Ok' })
    await act({ ...cancel, webUserId: kind, charge: 'none' })
    expect((await see(late)).bookings).toMatchObject([{ bookingStatus: 0, charge: 'full', price: 45 }])
    const rows = rowsOf((await readList('bookings', { seasonId: String(course.seasonId) })).text)
    expect(rows.map(({ state, charge, amount }) => [state, charge, amount])).toEqual([
      ['ended', 'full', '45,00'],
      ['ended', 'none', '0,00'],
      ['booked', 'none', '45,00'],
    ])
    expect(
      (await readList('participants', { seasonId: String(course.seasonId) })).text.trimEnd().split('\r\n'),
    ).toHaveLength(2)
  })
})
