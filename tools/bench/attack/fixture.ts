import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { bookCourse, type Course, listCoursesOfSession } from '../../../contract/endpoints/courses.ts'
import { listMessages } from '../../../contract/endpoints/inbox.ts'
import { login } from '../../../contract/endpoints/session.ts'
import type { Portal } from '../../../e2e/portal.ts'

export const PASSWORD = 'Kupfer-Nebel-Turm-58'

/** A user whose profile contains unique canary strings, which must not appear in responses to other users. */
export type Person = { name: string; email: string; token: string; secret: string }

/** Test data of the portal under attack. */
export type Target = {
  portal: Portal
  people: Record<'participant' | 'waiting' | 'external' | 'teacher' | 'otherTeacher' | 'stranger', Person>
  /** course that `teacher` instructs; `participant` holds its only place, and `waiting` is on the waiting list */
  courseId: number
  courseDateId: number
  participantId: number
  /** course number of an unpublished course, which must not occur in any response */
  hiddenNumber: string
  /** id of a private document that belongs to `participant` */
  messageId: number
  privateAlbumId: number
}

const HIDDEN = 'HIDDEN-9'
const dateFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const csv = (columns: string, ...rows: string[]) => [columns, ...rows].join('\n')

/** Writes an import folder and imports it while the portal runs. */
export async function importFolder(portal: Portal, files: Record<string, string | Buffer>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-attack-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  const { PATH = '', HOME = '' } = process.env
  await promisify(execFile)(process.execPath, ['server/start.mjs', 'import', folder], {
    env: { PATH, HOME, DEMO: 'on', DATA_DIR: portal.dataDir, PORT: new URL(portal.url).port },
  })
  await rm(folder, { recursive: true })
}

const NAMES = ['participant', 'waiting', 'external', 'teacher', 'otherTeacher', 'stranger'] as const
const STATUS = { participant: 1, waiting: 4, external: 2, teacher: 1, otherTeacher: 1, stranger: 5 }
const emailOf = (name: string) => `${name.toLowerCase()}@ziel.example`
const secretOf = (name: string) => `CANARY${name.toUpperCase()}`

/** Creates a small programme with a user of each role, in addition to the demo programme. */
export async function createTarget(portal: Portal): Promise<Target> {
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#123456' } })
    .jpeg()
    .toBuffer()
  await importFolder(portal, {
    'seasons.csv': csv(
      'id,name,bookableFrom,viewableFrom',
      '900,Angriff,2026-01-01,2026-01-01',
      `901,Später,${dateFromNow(300)},${dateFromNow(200)}`,
    ),
    'categories.csv': csv('id,name', '900,Angriff'),
    'instructors.csv': csv(
      'email,familyName,givenName',
      `${emailOf('teacher')},Lehrend,Tea`,
      `${emailOf('otherTeacher')},Anders,Theo`,
    ),
    'courses.csv': csv(
      'number,seasonId,courseCategoryId,name,start,end,startTime,endTime,participants,instructorEmails,meetingURL',
      `ATT-1,900,900,Zielkurs,${dateFromNow(0)},${dateFromNow(60)},23:00,23:50,1,${emailOf('teacher')},https://meet.example/${secretOf('room')}`,
      `ATT-2,900,900,Nebenkurs,${dateFromNow(1)},${dateFromNow(60)},18:00,19:00,5,${emailOf('otherTeacher')},`,
      `${HIDDEN},901,900,Geheimkurs,${dateFromNow(250)},${dateFromNow(290)},18:00,19:00,5,${emailOf('otherTeacher')},`,
    ),
    'users.csv': csv(
      'email,password,givenName,familyName,employeeStatus,billingType,personnelNumber,bkkNumber,street,zip,city,yearOfBirth',
      ...NAMES.map(name =>
        [emailOf(name), PASSWORD, 'Vor', `Nach${name}`, STATUS[name], 3, secretOf(name), secretOf(name)]
          .concat([`${secretOf(name)}weg 1`, '38210', 'Salzstadt', 1980])
          .join(','),
      ),
    ),
    'messages.csv': csv(
      'email,created,title,text,documentName',
      `${emailOf('participant')},2026-11-01,Bescheinigung,Nur für Sie,${secretOf('participant')}.pdf`,
    ),
    'albums.csv': csv('id,name,courseNumber', '900,Privat,ATT-1'),
    'photos.csv': csv('albumId,fileName', '900,privat.jpg'),
    [`files/${secretOf('participant')}.pdf`]: Buffer.from(`%PDF-1.4\n% ${secretOf('participant')}\n%%EOF\n`),
    'files/privat.jpg': picture,
  })
  const people = Object.fromEntries(
    await Promise.all(
      NAMES.map(async name => {
        const session = await portal.call(login, {
          body: { userName: emailOf(name), password: PASSWORD, keepSession: false },
        })
        if (session.status !== 'Ok') throw new Error(`${name} cannot log in: ${session.message}`)
        return [name, { name, email: emailOf(name), token: session.id, secret: secretOf(name) }]
      }),
    ),
  ) as Target['people']
  const { participant, waiting, teacher } = people
  const courses = (await portal.call(listCoursesOfSession, { token: participant.token })) as Course[]
  const course = courses.find(({ number }) => number === 'ATT-1')
  if (!course) throw new Error('the course of the attack is not listed')
  await portal.call(bookCourse, { token: participant.token, body: { id: course.id } })
  await portal.call(bookCourse, { token: waiting.token, body: { id: course.id } })
  const { getCourseDates } = await import('../../../contract/endpoints/attendance.ts')
  const dates = await portal.call(getCourseDates, { token: teacher.token, params: { id: course.id } })
  const [message] = await portal.call(listMessages, { token: participant.token })
  return {
    portal,
    people,
    courseId: course.id,
    courseDateId: dates.courseDates[0]?.id ?? 0,
    participantId: dates.participants[0]?.id ?? 0,
    hiddenNumber: HIDDEN,
    messageId: message?.id ?? 0,
    privateAlbumId: 900,
  }
}
