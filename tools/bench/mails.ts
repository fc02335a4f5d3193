import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { bookCourse, type Course, listCourses } from '../../contract/endpoints/courses.ts'
import { login, resetPassword } from '../../contract/endpoints/session.ts'
import { importFolder } from '../../e2e/import-steps.ts'
import { Portal } from '../../e2e/portal.ts'
import { emailOfPerson, PASSWORD } from './programmes.ts'

/**
 * Sends 10,000 confirmation e-mails, and an urgent password mail among them, to a mail server with a latency of 20 ms.
 */
const PEOPLE = 100
const COURSES = 100
const MAILS = PEOPLE * COURSES
const ANSWER_MS = 20
const CONNECTIONS = 16

/** Mail server that is unreachable until `open` is called and delays its responses. */
async function startMailServer() {
  const arrivals: { to: string; at: number; messageId: string; isPassword: boolean }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onData(stream, { envelope }, callback) {
      const source = Buffer.concat(await stream.toArray()).toString('latin1')
      const messageId = /^Message-ID: (.+)$/im.exec(source)?.[1]?.trim() ?? ''
      const isPassword = /^Subject:.*Passwort/m.test(source)
      arrivals.push({ to: envelope.rcptTo[0]?.address ?? '', at: performance.now(), messageId, isPassword })
      callback()
    },
  })
  server.listen(0, '127.0.0.1')
  let isOpen = false
  const late = (from: Socket, to: Socket, ms: number) => {
    from.on('data', part => setTimeout(() => to.writable && to.write(part), ms))
    from.on('close', () => setTimeout(() => to.destroy(), ms))
    from.on('error', () => undefined)
  }
  const pipe: Server = createServer(outer => {
    if (!isOpen) return void outer.destroy()
    const inner = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    late(inner, outer, ANSWER_MS)
    late(outer, inner, 0)
  })
  await new Promise<void>(resolve => pipe.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(pipe.address() as AddressInfo).port}`,
    arrivals,
    open: () => {
      isOpen = true
    },
    close: () => {
      pipe.close()
      server.close()
    },
  }
}

async function writeProgramme(folder: string): Promise<void> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const [start, end] = [day(7), day(60)]
  const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, at) => line(at))
  const files = {
    'seasons.csv': `id,name,bookableFrom,viewableFrom,startsAt,endsAt\n1,Saison,${day(-9)},${day(-9)},${start},${end}\n`,
    'categories.csv': 'id,name,icon\n1,Fitness,fitness\n',
    'courses.csv': [
      'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants',
      ...lines(COURSES, at => `B-${at},1,1,Zirkel ${at},${start},${end},18:00,19:00,${PEOPLE}`),
    ].join('\n'),
    'users.csv': [
      'email,password,givenName,familyName,employeeStatus',
      ...lines(PEOPLE, at => `${emailOfPerson(at)},${PASSWORD},Kim,Muster-${at},1`),
    ].join('\n'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

async function bookEverything(portal: Portal): Promise<void> {
  const courses = (await portal.call(listCourses)) as Course[]
  await Promise.all(
    Array.from({ length: PEOPLE }, async (_, index) => {
      const body = { userName: emailOfPerson(index), password: PASSWORD, keepSession: false }
      const { id: token } = await portal.call(login, { body })
      for (const { id } of courses) await portal.call(bookCourse, { token, body: { id } })
    }),
  )
}

/**
 * Baseline: the same mail server and number of connections without portal and database.
 * @returns e-mails per second
 */
async function runBareLoop(url: string, count: number): Promise<number> {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Number.MAX_SAFE_INTEGER,
  })
  const text = 'Ihr Platz ist sicher. Wir freuen uns auf Sie.\n'.repeat(20)
  const message = { from: 'bench@bench.example', subject: 'Gebucht', text, html: `<p>${text}</p>` }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: count }, (_, at) => transport.sendMail({ ...message, to: emailOfPerson(at) })))
  transport.close()
  return (count / (performance.now() - startedAt)) * 1000
}

const mailServer = await startMailServer()
const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'))
const portal = await Portal.open({ DEMO: 'off', SMTP_URL: mailServer.url, LOG_LEVEL: 'fatal' })
try {
  await writeProgramme(folder)
  await importFolder(portal, folder, { DEMO: 'off' })
  const bookedAt = performance.now()
  await bookEverything(portal)
  console.log(`${MAILS} bookings in ${((performance.now() - bookedAt) / 1000).toFixed(1)} s, the mail server away`)

  await portal.stop()
  mailServer.open()
  await portal.start()
  const startedAt = performance.now()
  const { arrivals } = mailServer
  while (arrivals.length < MAILS / 10) await sleep(50)
  const passwordWaits: number[] = []
  for (let person = 0; person < 5; person += 1) {
    const [askedAt, behind] = [performance.now(), MAILS - arrivals.length]
    await portal.call(resetPassword, { body: { userName: emailOfPerson(person) } })
    const find = () => arrivals.find(({ to, isPassword }) => isPassword && to === emailOfPerson(person))
    while (!find()) await sleep(10)
    passwordWaits.push((find()?.at ?? 0) - askedAt)
    console.log(`a password behind ${behind} mails: there after ${passwordWaits.at(-1)?.toFixed(0)} ms`)
    await sleep(500)
  }
  while (new Set(arrivals.map(({ messageId }) => messageId)).size < MAILS + passwordWaits.length) await sleep(100)
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${MAILS} mails in ${seconds.toFixed(1)} s (${(MAILS / seconds).toFixed(0)} a second)`)
  const bare = await runBareLoop(mailServer.url, 2_000)
  console.log(
    `a bare loop over ${CONNECTIONS} connections: ${bare.toFixed(0)} a second, ${(bare / (MAILS / seconds)).toFixed(2)} times as many`,
  )
} finally {
  mailServer.close()
  await portal.close()
  await rm(folder, { recursive: true })
}
