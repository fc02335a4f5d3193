import { compactVerify, createLocalJWKSet, decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { changePresence } from '#contract/endpoints/attendance.ts'
import { getCertificate, getCertificateKeys } from '#contract/endpoints/certificates.ts'
import { getInboxFile, listMessages } from '#contract/endpoints/inbox.ts'
import { getSettlement } from '#contract/office/money.ts'
import { EMPLOYEE_STATUS } from '#contract/values.ts'
import { auditPortal } from '#server/operations/audit/audit.ts'
import { sql } from '#server/platform/db/client.ts'
import { dateFromNow, insertInstructorWithSession, insertUserWithSession } from '#server/test/factories.ts'
import { insertCertifiedPlace, insertPastCourse, insertPlace, insertProof } from '#server/test/money-scene.ts'
import { openTestOffice } from '#server/test/office.ts'
import { readPdfPages } from '#server/test/pdf.ts'
import { refreshCertificatesAndNotify } from './service.ts'

const { server, ...office } = await openTestOffice(['billing', 'bookings', 'programme'])
const { db } = server

type Issued = { code: string; webUserId: number }
const issue = async (courseId: number, webUserId?: number): Promise<Issued[]> => {
  const answer = await office.act({ kind: 'issue-certificates', courseId, ...(webUserId && { webUserId }) })
  expect(answer.status).toBe('Ok')
  return answer.result.certificates as Issued[]
}
const settle = (courseId: number) => office.act({ kind: 'settle-courses', courseIds: [courseId] })
const stateOf = async (code = '') => (await server.request(getCertificate, { params: { code } })).body.state
const messagesOf = async ({ token }: { token: string }) =>
  (await server.request(listMessages, { token })).body.filter(({ title }) => title.includes('eilnahmebescheinigung'))
const jwsOf = async (code = '') =>
  (await db.one<{ jws: string }>(sql`select jws from certificate_documents where code = ${code}`)).jws
const claimsOf = async (code?: string) => decodeJwt(await jwsOf(code))
const codesOf = async ({ bookingId }: { bookingId: number }) =>
  (
    await db.query<{ code: string }>(
      sql`select code from certificates where booking_id = ${bookingId} order by version`,
    )
  ).map(({ code }) => code)

const insured = { employeeStatus: EMPLOYEE_STATUS.HealthInsurance }
const course = () => insertPastCourse(db, 10, { centralTestInstitute: 'KU-BE-4711', instructor: 'Ines Brandt' })

test('settling sends PDF certificates to insured members with 80 % attendance, not including excused lessons', async () => {
  const { id, lessonIds, ...rest } = await course()
  const past = { id, lessonIds, ...rest }
  const person = { ...insured, givenName: 'Kim', familyName: 'Öztürk' }
  const member = await insertPlace(db, past, 8, { ...insured, person })
  const seldom = await insertPlace(db, past, 7, { ...insured, person: insured })
  const employee = await insertPlace(db, past, 10)
  await insertProof(db, seldom.id, {
    kind: 'sick',
    startsOn: dateFromNow(-200),
    state: 'accepted',
    decidedAt: new Date(),
  })
  expect(await settle(id)).toMatchObject({ status: 'Ok' })
  expect([await messagesOf(seldom), await messagesOf(employee)]).toEqual([[], []])
  const [message, ...more] = await messagesOf(member)
  expect(more).toEqual([])
  const file = await server.request(getInboxFile, { params: { id: message?.id ?? 0 }, token: member.token })
  expect(file.headers.get('Content-Type')).toBe('application/pdf')
  const text = readPdfPages(file.body).join(' ').replaceAll('- ', '-')
  for (const part of [
    'Kim Öztürk',
    'KU-BE-4711',
    '8 von 10 Kurseinheiten',
    'Ines Brandt',
    '45,00',
    'Zentrale Prüfstelle',
  ])
    expect(text).toContain(part)
  const [code] = await codesOf(member)
  expect(await claimsOf(code)).toMatchObject({ attended: 8, held: 10, amount: 45, version: 1, name: 'Kim Öztürk' })
})

test('a certificate verifies with the published keys, which stay when a new key signs', async () => {
  const { course: first } = await insertCertifiedPlace(db)
  const [old] = await issue(first.id)
  await db.execute(sql`
    update secrets set value = convert_to(replace(convert_from(value, 'UTF8'), '"createdOn":"20', '"createdOn":"19'), 'UTF8')
    where name = 'certificate-keys'`)
  const { course: second } = await insertCertifiedPlace(db)
  const [next] = await issue(second.id)
  const { body } = await server.request(getCertificateKeys)
  expect(body.keys).toHaveLength(2)
  expect(JSON.stringify(body)).not.toContain('"d"')
  const kids = []
  for (const { code } of [old, next] as Issued[]) {
    const { payload, protectedHeader } = await compactVerify(await jwsOf(code), createLocalJWKSet(body))
    expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({ jti: code })
    kids.push(protectedHeader.kid)
  }
  expect(new Set(kids).size).toBe(2)
  const [header, payload, signature] = (await jwsOf(next?.code)).split('.')
  const forged = Buffer.from(
    Buffer.from(payload ?? '', 'base64url')
      .toString()
      .replace('"attended":8', '"attended":9'),
  )
  await expect(
    compactVerify([header, forged.toString('base64url'), signature].join('.'), createLocalJWKSet(body)),
  ).rejects.toThrow()
  // The private part of the earlier key is deleted.
  const { value } = await db.one<{ value: Buffer }>(sql`select value from secrets where name = 'certificate-keys'`)
  expect(JSON.parse(value.toString()).map(({ d }: { d: string | null }) => d === null)).toEqual([false, true])
})

test('a certificate is issued once on request for any group, and its public state contains no name', async () => {
  const past = await course()
  const employee = await insertPlace(db, past, 9)
  const seldom = await insertPlace(db, past, 2)
  expect(await office.act({ kind: 'issue-certificates', courseId: past.id })).toMatchObject({
    code: 'office.failed.notSettled',
  })
  await settle(past.id)
  const certificates = async () =>
    (await server.request(getSettlement, { token: office.token, params: { id: past.id } })).body.lines.map(
      ({ certificate }) => certificate,
    )
  expect(await certificates()).toEqual([{ code: null }, null])
  // Without a request, only insured members get one.
  expect(await issue(past.id)).toEqual([])
  const [certificate] = await issue(past.id, employee.id)
  expect(await certificates()).toEqual([{ code: certificate?.code }, null])
  expect(certificate).toEqual({ code: expect.stringMatching(/^[\w-]{22}$/), webUserId: employee.id })
  expect(await issue(past.id)).toEqual([certificate])
  expect(await messagesOf(employee)).toHaveLength(1)
  expect(await office.act({ kind: 'issue-certificates', courseId: past.id, webUserId: seldom.id })).toMatchObject({
    status: 'Failed',
    code: 'office.failed.notEarned',
  })
  const { body } = await server.request(getCertificate, { params: { code: certificate?.code ?? '' } })
  expect(body).toEqual({ state: 'valid', issued: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
  expect((await server.request(getCertificate, { params: { code: 'A'.repeat(22) } })).status).toBe(404)
  const plain = await insertPastCourse(db, 3)
  await insertPlace(db, plain, 3)
  await settle(plain.id)
  expect(await office.act({ kind: 'issue-certificates', courseId: plain.id })).toMatchObject({ status: 'Failed' })
})

test('the required share of lessons is a setting of the course', async () => {
  const past = await course()
  await office.act({ kind: 'change-course', courseId: past.id, certificateShare: 50 })
  const member = await insertPlace(db, past, 5, { ...insured, person: insured })
  const seldom = await insertPlace(db, past, 4, { ...insured, person: insured })
  await settle(past.id)
  expect([(await codesOf(member)).length, (await codesOf(seldom)).length]).toEqual([1, 0])
})

test('a later change of name, attendance or amount, or a merge, replaces or revokes a certificate and notifies the person', async () => {
  const teacher = await insertInstructorWithSession(db)
  const past = await insertPastCourse(db, 10, {
    centralTestInstitute: 'KU-BE-4711',
    instructorEmails: [teacher.email],
    isParticipatingComplete: false,
  })
  const member = await insertPlace(db, past, 8, { ...insured, person: { ...insured, familyName: 'Alt' } })
  await office.act({ kind: 'settle-courses', courseIds: [past.id], reason: 'Liste ist vollständig' })
  const tick = async (lesson: number, changeState: 'added' | 'deleted') => {
    const body = { changeState, courseDateId: past.lessonIds[lesson] ?? 0, webUserId: member.id }
    expect((await server.request(changePresence, { token: teacher.token, body })).body.status).toBe('Ok')
  }
  const versions = async () => {
    const codes = await codesOf(member)
    return Promise.all(codes.map(stateOf))
  }
  expect(await versions()).toEqual(['valid'])
  await office.act({ kind: 'change-person', webUserId: member.id, familyName: 'Neu' })
  expect(await versions()).toEqual(['replaced', 'valid'])
  await tick(8, 'added')
  const { findings } = await auditPortal(db)
  expect(findings.filter(finding => finding.startsWith('certificate'))).toHaveLength(1)
  await db.transaction(tx => refreshCertificatesAndNotify(tx, null))
  expect(await versions()).toEqual(['replaced', 'replaced', 'valid'])
  expect((await auditPortal(db)).findings.filter(finding => finding.startsWith('certificate'))).toEqual([])
  const last = await claimsOf((await codesOf(member)).at(-1))
  expect(last).toMatchObject({ version: 3, attended: 9, name: expect.stringContaining('Neu') })
  await office.act({
    kind: 'add-entry',
    webUserId: member.id,
    courseId: past.id,
    entryKind: 'goodwill',
    amount: 10,
    reason: 'Kulanz',
  })
  await office.act({ kind: 'settle-courses', courseIds: [past.id], reason: 'Liste ist vollständig' })
  expect(await claimsOf((await codesOf(member)).at(-1))).toMatchObject({ version: 4, amount: 35 })

  const other = await insertPlace(db, await insertPastCourse(db, 1), 1, { person: { familyName: 'Drittname' } })
  // Certificates follow only between accounts with the same verified personnel number.
  await db.execute(sql`
    update web_users set personnel_number = '4711', employee_status = 1, known_at = now() where id in (${member.id}, ${other.id})`)
  await office.act({ kind: 'merge-people', webUserId: member.id, intoWebUserId: other.id })
  expect(await claimsOf((await codesOf(member)).at(-1))).toMatchObject({
    version: 5,
    name: expect.stringContaining('Drittname'),
  })
  expect(await messagesOf(other)).toHaveLength(5)

  const body = { changeState: 'deleted', courseDateId: past.lessonIds[0] ?? 0, webUserId: other.id } as const
  await server.request(changePresence, { token: teacher.token, body })
  await server.request(changePresence, {
    token: teacher.token,
    body: { ...body, courseDateId: past.lessonIds[1] ?? 0 },
  })
  await db.transaction(tx => refreshCertificatesAndNotify(tx, null))
  expect((await versions()).at(-1)).toBe('revoked')
  const [newest] = await messagesOf(other)
  expect(newest).toMatchObject({ title: expect.stringContaining('gilt nicht mehr'), documentName: '' })
})

test('a certificate of a merged account stays as it is until both people agree', async () => {
  const past = await course()
  const member = await insertPlace(db, past, 8, { ...insured, person: insured })
  await settle(past.id)
  const codes = await codesOf(member)
  expect(codes).toHaveLength(1)
  const into = await insertUserWithSession(db)
  await office.act({ kind: 'merge-people', webUserId: member.id, intoWebUserId: into.id })
  for (const _run of [1, 2]) await db.transaction(tx => refreshCertificatesAndNotify(tx, null))
  expect(await codesOf(member)).toEqual(codes)
  expect((await auditPortal(db)).findings.filter(finding => finding.startsWith('certificate'))).toEqual([])
})

test('a revoked certificate stays revoked when the course is settled again', async () => {
  const past = await course()
  const member = await insertPlace(db, past, 8, { ...insured, person: insured })
  await settle(past.id)
  const [code = ''] = await codesOf(member)
  expect(await office.act({ kind: 'revoke-certificate', code })).toMatchObject({ status: 'Reason' })
  expect(await office.act({ kind: 'revoke-certificate', code, reason: 'Irrtum' })).toMatchObject({ status: 'Ok' })
  expect(await office.act({ kind: 'revoke-certificate', code, reason: 'Irrtum' })).toMatchObject({ status: 'Failed' })
  expect(await stateOf(code)).toBe('revoked')
  await db.execute(sql`update attendances set is_present = true where web_user_id = ${member.id}`)
  await settle(past.id)
  expect(await codesOf(member)).toEqual([code])
  expect(await issue(past.id)).toMatchObject([{ webUserId: member.id }])
  expect(await stateOf(code)).toBe('replaced')
})

test('whose name cannot be printed is asked for the spelling of the passport instead of getting a certificate', async () => {
  const past = await course()
  const person = { ...insured, givenName: 'محمد', familyName: 'الحسيني' }
  const member = await insertPlace(db, past, 9, { ...insured, person })
  await settle(past.id)
  expect(await codesOf(member)).toEqual([])
  expect((await messagesOf(member)).map(({ title }) => title)).toEqual([
    `Für die Teilnahmebescheinigung fehlt Ihr Name: ${past.name}`,
  ])
  const fails = { status: 'Failed', code: 'office.failed.nameLetters' }
  const act = { kind: 'issue-certificates', courseId: past.id, webUserId: member.id } as const
  expect(await office.act(act)).toMatchObject(fails)
  const change = { kind: 'change-person', webUserId: member.id } as const
  expect(await office.act({ ...change, givenName: '李' })).toMatchObject(fails)
  await office.act({ ...change, givenName: 'Mohammed', familyName: 'Al-Husseini' })
  const [certificate] = await issue(past.id, member.id)
  expect((await claimsOf(certificate?.code)).name).toBe('Mohammed Al-Husseini')
})

test('messages about a certificate name the course in the language of the reader', async () => {
  const { id, lessonIds, ...rest } = await insertPastCourse(db, 10, {
    centralTestInstitute: 'KU-BE-4711',
    name: 'Rückenfit',
    name2: 'Back fitness',
  })
  const member = await insertPlace(db, { id, lessonIds, ...rest }, 10, {
    ...insured,
    person: { ...insured, language: 'en' },
  })
  await settle(id)
  const [code = ''] = await codesOf(member)
  await db.execute(sql`update web_users set given_name = 'Kimberly' where id = ${member.id}`)
  await db.transaction(tx => refreshCertificatesAndNotify(tx, { webUserId: member.id }))
  const replaced = (await codesOf(member)).find(one => one !== code) ?? ''
  await office.act({ kind: 'revoke-certificate', code: replaced, reason: 'Fehler' })
  const { body } = await server.request(listMessages, { token: member.token })
  const titles = body.map(({ title }) => title).filter(title => title.includes('ertificate'))
  expect(titles).toHaveLength(3)
  for (const title of titles) expect(title).toContain('Back fitness')
})
