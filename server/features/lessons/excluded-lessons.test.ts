import { expect, test } from 'vitest'
import { changePresence, getCourseDates } from '#contract/endpoints/attendance.ts'
import { listBookedCourses } from '#contract/endpoints/courses.ts'
import { getSettlement } from '#contract/office/money.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { getOfficeList, getOfficePerson } from '#contract/office/people.ts'
import { getReport } from '#contract/office/report.ts'
import { RIGHTS } from '#contract/values.ts'
import { dateFromNow } from '#server/test/factories.ts'
import { insertOfficer, openTestOffice } from '#server/test/office.ts'
import { insertTaughtCourse } from '#server/test/taught-course.ts'

const { server, act } = await openTestOffice(RIGHTS)

test('an excluded lesson counts nowhere, and everywhere once its attendance is recorded', async () => {
  const { id, seasonId, teacher, person, lessonIds } = await insertTaughtCourse(server.db, {
    startsOn: dateFromNow(-21),
    endsOn: dateFromNow(-7),
  })
  const { token } = await insertOfficer(server, RIGHTS)
  /** What each place shows about the lessons of the person. */
  const numbers = async () => {
    const params = { id }
    const { body: dates } = await server.request(getCourseDates, { params, token: teacher.token })
    const { body: booked } = await server.request(listBookedCourses, { token: person.token })
    const { body: desk } = await server.request(getOfficeCourse, { params, token })
    const { body: page } = await server.request(getOfficePerson, { params: { id: person.id }, token })
    const { body: settlement } = await server.request(getSettlement, { params, token })
    const { body: report } = await server.request(getReport, { query: { seasonId: String(seasonId) }, token })
    const cells = async (file: string) => {
      const request = { params: { file }, query: { seasonId: String(seasonId) }, token }
      const [head = [], row = []] = new TextDecoder()
        .decode((await server.request(getOfficeList, request)).body)
        .split('\r\n')
        .map(line => line.split(';'))
      return Object.fromEntries(head.map((name, index) => [name, row[index]]))
    }
    const [attendance, utilisation] = [await cells('attendance.csv'), await cells('utilisation.csv')]
    return {
      present: [
        dates.participants[0]?.participation,
        booked[0]?.participation,
        booked[0]?.attendance?.present,
        desk.booked[0]?.present,
        desk.lessons.reduce((sum, lesson) => sum + (lesson.present ?? 0), 0),
        page.bookings?.[0]?.present,
        settlement.lines[0]?.present,
        report.attendance.reduce((sum, lesson) => sum + lesson.present, 0),
        report.noShows[0]?.present,
        Number(attendance.Anwesend),
        Number(utilisation.Anwesend),
      ],
      recorded: [desk.booked[0]?.held, settlement.lines[0]?.counted],
      held: [booked[0]?.attendance?.held, page.bookings?.[0]?.held, Number(attendance['Termine gehalten'])],
      excluded: [desk.lessons[0]?.excluded, settlement.lessons[0]?.recording === 'excluded'],
    }
  }
  const tick = (courseDateId = 0) =>
    server.request(changePresence, {
      body: { changeState: 'added', courseDateId, webUserId: person.id },
      token: teacher.token,
    })
  const everywhere = (present: number) => Array.from({ length: 11 }, () => present)
  await act({ kind: 'exclude-lesson', courseDateId: lessonIds[0] ?? 0 })
  await tick(lessonIds[1])
  expect(await numbers()).toEqual({
    present: everywhere(1),
    recorded: [1, 1],
    held: [2, 2, 2],
    excluded: [true, true],
  })
  await tick(lessonIds[0])
  expect(await numbers()).toEqual({
    present: everywhere(2),
    recorded: [2, 2],
    held: [3, 3, 3],
    excluded: [false, false],
  })
})
