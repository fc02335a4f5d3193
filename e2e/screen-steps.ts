import type { Page } from '@playwright/test'
import { type Course, listCourses, listInstructorCourses } from '#contract/endpoints/courses.ts'
import { changePassword, login } from '#contract/endpoints/session.ts'
import { OFFICE_PATHS } from '#contract/office/pages.ts'
import {
  createPerson,
  field,
  linkIn,
  PASSWORD,
  registerPerson,
  takeFirstStep,
  takeFirstTwoSteps,
  tokenOf,
} from './people-steps.ts'
import { DEMO_PASSWORD, type DemoAccount, emailOf, type Portal } from './portal.ts'

/** A screen with the state in which it is opened. */
export type Screen = {
  name: string
  path: string
  /** the logged-in user; none if undefined */
  account?: DemoAccount
  /** navigation to a screen without a direct address */
  prepare?: (page: Page) => Promise<void>
}

const VISITORS = [
  '/home',
  '/courses',
  '/courseprogram',
  '/flyers',
  '/instructor',
  '/teamsport',
  '/photo-album',
  '/photo-album/1',
  '/inprint',
  '/privacy',
  '/accessibility',
  '/processing-record',
  '/superiors',
  '/faq',
  '/contact',
  '/teilnahmebedingung',
  '/info',
  '/certificates',
  '/offline',
  '/login',
  '/register1',
  '/no-such-page',
]
const OWN = ['/courses/booked', '/costs', '/messages', '/edit', '/password-change', '/sessions', '/reminders']

const DESK = OFFICE_PATHS.filter(path => !path.includes(':'))

const nameOf = (path: string) => path.slice(1).replaceAll('/', '-')

async function takeSecondStep(page: Page): Promise<void> {
  await takeFirstTwoSteps(page)
  await field(page, 'employeeStatus').selectOption('1')
}

/** Path of a new person's activation link, which can be opened repeatedly. */
async function activationPath(portal: Portal): Promise<string> {
  const [mail] = await portal.mailsTo(await registerPerson(portal, 1, 1))
  if (!mail) throw new Error('no mail')
  return linkIn(mail)
}

/** Path of the undo link in the notice of a changed password. */
async function undoPath(portal: Portal): Promise<string> {
  const person = await createPerson(portal)
  const body = { password: `${PASSWORD}-neu`, confirmPassword: `${PASSWORD}-neu` }
  await portal.call(changePassword, { body, token: await tokenOf(portal, person) })
  const mail = (await portal.mailsTo(person.email, 2)).at(-1)
  if (!mail) throw new Error('no mail')
  return linkIn(mail)
}

export type Share = { name: string; account?: DemoAccount; of: (screens: Screen[]) => Screen[] }
const shareOf = (account?: DemoAccount, part = 0, parts = 1): Share => ({
  name: `${account ?? 'visitor'}${parts > 1 ? `, ${part + 1} of ${parts}` : ''}`,
  ...(account && { account }),
  of: screens => screens.filter(screen => screen.account === account).filter((_, index) => index % parts === part),
})

/** Screens of the app for tests that visit all of them, split into parts of similar duration that run in parallel. */
export const SHARES: Share[] = [
  ...[0, 1].map(part => shareOf(undefined, part, 2)),
  ...(['employee', 'instructor'] as const).map(account => shareOf(account)),
]

/** A screen for every route of the app; scripts/take-screens.test.ts compares the list with the route table. */
export async function listScreens(portal: Portal): Promise<Screen[]> {
  const courses = (await portal.call(listCourses)) as Course[]
  const body = { userName: emailOf('instructor'), password: DEMO_PASSWORD, keepSession: false }
  const { id: token } = await portal.call(login, { body })
  const taught = (await portal.call(listInstructorCourses, { token })) as Course[]
  const open = courses.find(
    ({ seasonBookable, start, currentBooked, participants }) =>
      seasonBookable &&
      Date.UTC(start.year, start.month - 1, start.day) > Date.now() &&
      (currentBooked ?? 0) < participants,
  )
  const coming = courses.find(course => !course.seasonBookable)
  const running = taught.find(course => course.running) ?? taught[0]
  return [
    ...VISITORS.map(path => ({ name: nameOf(path), path })),
    { name: 'course-details', path: `/course-details/${open?.id}` },
    { name: 'register2', path: '/register1', prepare: takeFirstStep },
    { name: 'register3', path: '/register1', prepare: takeSecondStep },
    { name: 'activate', path: await activationPath(portal) },
    { name: 'activate-unknown', path: '/activate/unknown' },
    { name: 'undo', path: await undoPath(portal) },
    { name: 'substitute', path: '/substitute/unknown' },
    { name: 'booking-order', path: '/booking-order/1' },
    ...OWN.map(path => ({ name: nameOf(path), path, account: 'employee' as const })),
    { name: 'course-details-countdown', path: `/course-details/${coming?.id}`, account: 'employee' },
    { name: 'courses-instructor', path: '/courses/instructor', account: 'instructor' },
    ...DESK.map(path => ({ name: nameOf(path), path, account: 'desk' as const })),
    { name: 'office-course', path: `/office/courses/${running?.id}`, account: 'desk' },
    { name: 'office-person', path: '/office/people/1', account: 'desk' },
    { name: 'course-participation', path: `/course-participation/${running?.id}`, account: 'instructor' },
  ]
}
