import { bookCourse } from '../contract/bookings.ts'
import type { Course } from '../contract/courses.ts'
import { listCourses } from '../contract/courses.ts'
import { login } from '../contract/session.ts'
import { emailOfPerson, hasRealProgrammes, openRealPortal, PASSWORD, percentile } from './programmes.ts'

/** Everybody books at once: the same course, then courses of their own. Over real sockets, one server process. */
const PEOPLE = 300

if (!hasRealProgrammes) console.log('skipped: ../shared is missing')
else {
  const portal = await openRealPortal('bern', PEOPLE)
  const tokens = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, index) => {
      const body = { userName: emailOfPerson(index), password: PASSWORD, keepSession: false }
      return (await portal.call(login, { body })).id
    }),
  )
  const courses = (await portal.call(listCourses)) as Course[]
  const open = courses.filter(({ seasonBookable }) => seasonBookable).slice(0, PEOPLE)
  const rush = async (courseOf: (index: number) => Course | undefined) => {
    const times: number[] = []
    const startedAt = performance.now()
    const answers = await Promise.all(
      tokens.map(async (token, index) => {
        const answer = await portal.call(bookCourse, { token, body: { id: courseOf(index)?.id ?? 0 } })
        times.push(performance.now() - startedAt)
        return answer
      }),
    )
    return { perSecond: (PEOPLE / (performance.now() - startedAt)) * 1000, p95: percentile(times, 0.95), answers }
  }
  const spread = await rush(index => open[(index % (open.length - 1)) + 1])
  const hot = await rush(() => open[0])
  const places = hot.answers.filter(({ bookingStatus }) => bookingStatus === 1).length
  console.log(`${PEOPLE} people, one course of ${open[0]?.participants}: ${places} places given`)
  for (const [name, { perSecond, p95 }] of Object.entries({ 'one course': hot, 'many courses': spread })) {
    console.log(
      `${name}: ${perSecond.toFixed(0)} bookings per s, the 95th percentile answered after ${p95.toFixed(0)} ms`,
    )
  }
  console.log(`one course takes ${(spread.perSecond / hot.perSecond).toFixed(2)} times as long as many`)
  await portal.close()
}
