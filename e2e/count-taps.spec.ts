import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Course } from '#contract/endpoints/courses.ts'
import { bookCourse, listBookedCourses } from '#contract/endpoints/courses.ts'
import { followThing } from '#contract/endpoints/reminders.ts'
import { BOOKING_STATUS } from '#contract/values.ts'
import { addLessonToday, courseWithoutLessonToday, loginInstructor, withdrawAttendance } from './attendance-steps.ts'
import { expect, type Portal, test, WITHOUT_WORKER } from './fixtures.ts'
import { patience } from './patience.ts'
import { createPerson, PASSWORD, tokenOf } from './people-steps.ts'
import { coursesOf } from './programme-steps.ts'

test.use(WITHOUT_WORKER)

/** Folder for the screenshots of `npm run screens -- film`: one before each tap, and one at the end. */
const FILM = process.env.FILM ?? ''
type Language = 'de' | 'en'
const LANGUAGES: Language[] = FILM ? ['de', 'en'] : ['de']

const WORDS = {
  de: {
    day: 'Dienstag',
    evening: 'Abends',
    free: 'Freie Plätze',
    courses: 'Kurse',
    mine: 'Meine',
    book: 'Jetzt buchen',
    calendar: 'In den Kalender',
    wait: /^Auf die Warteliste/,
    next: 'Ihr nächster Termin',
    list: 'Ihr nächster Termin als Kursleitung',
    allPresent: 'Alle da',
    cancel: 'Stornieren',
    remind: 'Am Vorabend erinnern',
    feed: /^In Ihren Kalender/,
    connect: 'Kalender verbinden',
    costs: 'Kosten und Nachweise',
  },
  en: {
    day: 'Tuesday',
    evening: 'Evening',
    free: 'Free places',
    courses: 'Courses',
    mine: 'Mine',
    book: 'Book now',
    calendar: 'Add to calendar',
    wait: /^Join the waiting list/,
    next: 'Your next lesson',
    list: 'Your next lesson as instructor',
    allPresent: 'All present',
    cancel: 'Cancel',
    remind: 'Remind me the evening before',
    feed: /^In your calendar/,
    connect: 'Connect a calendar',
    costs: 'Costs and documents',
  },
}

type Way = {
  page: Page
  portal: Portal
  language: Language
  /** performs and counts a tap; takes a screenshot of the target first */
  tap: (target: Locator) => Promise<void>
  /** opens the app by its icon or a link, as a visitor or with a session */
  open: (path: string, token?: string) => Promise<void>
}
type Journey = { name: string; most: (way: Way) => Promise<number> }

const main = (page: Page) => page.getByRole('main')
const card = (page: Page, course: Course | undefined) => main(page).locator(`a[href="/course-details/${course?.id}"]`)
const isWaitingOnly = (course: Course) => course.bookable && !course.directlyBookable
const isFree = (course: Course) => course.directlyBookable && course.price?.amount === 0 && !course.running

async function newcomer(portal: Portal) {
  const person = await createPerson(portal)
  const token = await tokenOf(portal, person)
  return { ...person, token, courses: await coursesOf(portal, token) }
}

/** The instructor's course with a lesson that starts now; both languages use it. */
let courseToday: number | undefined

/** Each test declares the maximum number of taps, and ends when the person has reached their goal. */
const JOURNEYS: Journey[] = [
  {
    name: 'finding a free seat on a Tuesday evening in a city',
    most: async ({ page, language, tap, open }) => {
      await open('/home')
      await tap(main(page).getByRole('link', { name: WORDS[language].day }))
      const chip = (name: string) => main(page).getByRole('button', { name, exact: true })
      for (const name of [WORDS[language].evening, 'Salzstadt', WORDS[language].free]) await tap(chip(name))
      await expect(page).toHaveURL(/free=1&day=2&part=evening&city=Salzstadt/)
      await expect(main(page).getByRole('article').first()).toBeVisible()
      return 4
    },
  },
  {
    name: 'opening the next lesson',
    most: async ({ page, portal, language, open }) => {
      const { token, courses } = await newcomer(portal)
      await portal.call(bookCourse, { token, body: { id: courses.find(isFree)?.id ?? 0 } })
      await open('/home', token)
      await expect(page.getByRole('link', { name: WORDS[language].next })).toBeInViewport()
      return 0
    },
  },
  {
    name: 'booking a course and adding it to the calendar',
    most: async ({ page, portal, language, tap, open }) => {
      const { token, courses } = await newcomer(portal)
      await open('/home', token)
      await tap(page.getByRole('navigation').last().getByRole('link', { name: WORDS[language].courses }))
      // Only the rows near the window are rendered; scrolling is not a tap.
      const free = courses.filter(isFree).map(({ id }) => `a[href="/course-details/${id}"]`)
      const first = main(page).locator(free.join()).first()
      await expect
        .poll(
          async () => {
            await page.evaluate(() => {
              const { scrollHeight } = document.documentElement
              if (scrollY + innerHeight < scrollHeight - 1) scrollBy(0, innerHeight)
              else scrollTo(0, 0)
            })
            return first.count()
          },
          { intervals: [200], timeout: patience * 20_000 },
        )
        .toBe(1)
      await tap(first)
      await tap(page.getByRole('button', { name: WORDS[language].book }))
      const download = page.waitForEvent('download')
      await tap(page.getByRole('dialog').getByRole('button', { name: WORDS[language].calendar }))
      await download
      return 4
    },
  },
  {
    name: 'booking a course from a shared link',
    most: async ({ page, portal, language, tap, open }) => {
      const { email, courses } = await newcomer(portal)
      await open(`/course-details/${courses.filter(isFree).at(1)?.id}`)
      await tap(main(page).locator('a[href^="/login"]').first())
      await main(page).locator('[name="username"]').fill(email)
      await main(page).locator('[name="password"]').fill(PASSWORD)
      await tap(main(page).locator('form [type="submit"]'))
      await tap(page.getByRole('button', { name: WORDS[language].book }))
      await expect(page.getByRole('dialog')).toBeVisible()
      return 3
    },
  },
  {
    // The taps for recording attendance one by one are counted in stand-at-the-door.spec.ts.
    name: 'marking all participants of the next lesson present',
    most: async ({ page, portal, language, tap, open }) => {
      const { id: token } = await loginInstructor(portal)
      if (courseToday === undefined) {
        courseToday = await courseWithoutLessonToday(portal, token)
        await addLessonToday(portal, courseToday)
      }
      await withdrawAttendance(portal, token, courseToday)
      await open('/home', token)
      await tap(page.getByRole('link', { name: WORDS[language].list }))
      await tap(page.getByRole('button', { name: WORDS[language].allPresent }))
      await expect(main(page).getByRole('switch', { checked: false })).toHaveCount(0)
      await expect(main(page).getByRole('switch').first()).toBeVisible()
      return 2
    },
  },
  {
    name: 'joining a waiting list',
    most: async ({ page, portal, language, tap, open }) => {
      const { token, courses } = await newcomer(portal)
      const full = courses.find(isWaitingOnly)
      await open(`/course-details/${full?.id}`, token)
      await tap(page.getByRole('button', { name: WORDS[language].wait }))
      if (full?.price?.amount) await tap(page.getByRole('dialog').getByRole('button', { name: WORDS[language].wait }))
      await expect(page.getByRole('dialog').getByRole('button', { name: WORDS[language].calendar })).toBeVisible()
      return 2
    },
  },
  {
    name: 'cancelling a booking',
    most: async ({ page, portal, language, tap, open }) => {
      const { token, courses } = await newcomer(portal)
      await portal.call(bookCourse, { token, body: { id: courses.find(isFree)?.id ?? 0 } })
      await open('/home', token)
      await tap(page.getByRole('navigation').last().getByRole('link', { name: WORDS[language].mine }))
      await tap(main(page).getByRole('article').getByRole('button', { name: WORDS[language].cancel }))
      await expect.poll(async () => portal.call(listBookedCourses, { token })).toEqual([])
      return 2
    },
  },
  {
    name: 'booking a course and being reminded the evening before',
    most: async ({ page, portal, language, tap, open }) => {
      const { token, courses } = await newcomer(portal)
      await open(`/course-details/${courses.filter(isFree).at(1)?.id}`, token)
      await tap(page.getByRole('button', { name: WORDS[language].book }))
      const remind = page.getByRole('dialog').getByRole('switch', { name: WORDS[language].remind })
      await tap(remind)
      await expect(remind).toBeChecked()
      return 2
    },
  },
  {
    name: 'connecting a calendar',
    most: async ({ page, portal, language, tap, open }) => {
      const { token, courses } = await newcomer(portal)
      await portal.call(bookCourse, { token, body: { id: courses.find(isFree)?.id ?? 0 } })
      await open('/home', token)
      await tap(main(page).getByRole('link', { name: WORDS[language].feed }))
      await tap(main(page).getByRole('button', { name: WORDS[language].connect }))
      await expect(main(page).getByRole('textbox')).toHaveValue(/\.ics/)
      return 2
    },
  },
  {
    name: 'reading the costs so far',
    most: async ({ page, portal, language, tap, open }) => {
      const { token } = await newcomer(portal)
      await open('/home', token)
      await tap(page.getByRole('navigation').last().getByRole('link', { name: WORDS[language].mine }))
      await tap(main(page).getByRole('link', { name: WORDS[language].costs }))
      await expect(page.getByRole('heading', { level: 1, name: WORDS[language].costs })).toBeVisible()
      return 2
    },
  },
  {
    name: 'following a course that opens later and seeing it in the plan',
    most: async ({ page, portal, open }) => {
      const { token, courses } = await newcomer(portal)
      const later = courses.find(course => !course.seasonBookable && course.bookingStatus === BOOKING_STATUS.NotBooked)
      await portal.call(followThing, { token, body: { kind: 'course', id: later?.id ?? 0 } })
      await open('/home', token)
      await expect(card(page, later).first()).toBeVisible()
      return 0
    },
  },
]

for (const language of LANGUAGES)
  for (const [at, { name, most }] of JOURNEYS.entries())
    test(`${name} takes few taps (${language}) @extended`, async ({ page, portal }) => {
      test.slow()
      let taps = 0
      let pictures = 0
      const take = async () => {
        if (!FILM) return
        await page.waitForTimeout(500)
        pictures += 1
        const file = `${at + 1}-${language}-${String(pictures).padStart(2, '0')}.png`
        await page.screenshot({ path: join(FILM, file), animations: 'disabled' })
      }
      const limit = await most({
        page,
        portal,
        language,
        open: async (path, token = '') => {
          const stored = [language, token] as const
          await page.addInitScript(([chosen, session]) => {
            localStorage.setItem('Language', chosen)
            if (session && !sessionStorage.getItem('SessionToken')) sessionStorage.setItem('SessionToken', session)
          }, stored)
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        },
        tap: async target => {
          await target.waitFor()
          // No screenshots for the long attendance list.
          if (pictures < 6) await take()
          taps += 1
          await target.click()
        },
      })
      await take()
      expect(taps).toBeLessThanOrEqual(limit)
    })
