import i18next from 'i18next'
import type { ComponentType } from 'react'
import { plan } from '#app/home/plan-door.ts'
import { type LoadScreen, lazyPart, lazyScreen } from '#components/lazy-screen.tsx'
import { isPageAt, PAGES, type PagePath } from '#contract/public-pages.ts'
import { bookingActions } from '#features/bookings/components/booking-actions-door.ts'
import { soon } from '#lib/late.ts'
import { pageIdle } from '#lib/page-loaded.ts'
import { readSessionToken } from '#lib/session-token.ts'

export type AppRoute = {
  path: string
  /** names the page title `shell:title.<name>` */
  name: string
  /** `slim`: without the main menu; `bare`: nothing but the screen */
  layout: 'main' | 'slim' | 'bare'
  /** `session`: without one, and when it ends, the start page shows instead */
  access: 'public' | 'session'
  screen: ComponentType
  /** fetches the screen before it is shown */
  preload: () => Promise<unknown>
}

const namedRoute = (path: string, name: string, load: LoadScreen, options: Partial<AppRoute> = {}): AppRoute => ({
  path,
  name,
  layout: 'main',
  access: 'public',
  ...lazyScreen(load),
  ...options,
})

const route = (path: PagePath, load: LoadScreen, options: Partial<AppRoute> = {}) =>
  namedRoute(path, PAGES[path], load, options)
/** For somebody: shown in a session only. */
const own = (path: PagePath, load: LoadScreen) => route(path, load, { access: 'session' })
/** On the way into a session. */
const slim = (path: PagePath, load: LoadScreen) => route(path, load, { layout: 'slim' })

const { screen: FollowChosen } = lazyPart(() => import('./course-list/follow-chosen.tsx').then(m => m.FollowChosen))

/** For whoever has been logged in the plan comes beside the screen. */
const home: LoadScreen = async () => {
  const [{ HomeScreen }] = await Promise.all([
    import('#app/home/home-screen.tsx'),
    // What fails here fails again where the plan is shown, and is told there.
    readSessionToken() === null ? null : plan.preload().catch(() => null),
  ])
  return HomeScreen
}

/** Every screen of the app; the root shows the start page. */
export const routes: AppRoute[] = [
  route('/', home),
  route('/home', home),
  route('/courses', async () => {
    const { CourseListScreen, fetchSearch } = await import('#features/courses/course-list-screen.tsx')
    // The words of a link are read before the list shows.
    if (/[?&]q=/.test(window.location.search)) await fetchSearch()
    return () => <CourseListScreen Follow={FollowChosen} />
  }),
  own('/courses/booked', async () => {
    const [{ BookedCoursesScreen }] = await Promise.all([
      import('#features/bookings/booked-courses-screen.tsx'),
      soon(i18next.loadNamespaces(['own-bookings'])),
    ])
    return BookedCoursesScreen
  }),
  own('/courses/instructor', () =>
    import('#features/attendance/instructor-courses-screen.tsx').then(m => m.InstructorCoursesScreen),
  ),
  route('/course-details/:id', async () => {
    const [{ CourseDetailsScreen }] = await Promise.all([
      import('#app/course-details/course-details-screen.tsx'),
      // What fails here fails again where one would book, and is told there.
      readSessionToken() === null ? null : bookingActions.preload().catch(() => null),
    ])
    return CourseDetailsScreen
  }),
  route(
    '/course-participation/:id',
    () => import('#features/attendance/course-participation-screen.tsx').then(m => m.CourseParticipationScreen),
    { access: 'session', layout: 'bare' },
  ),
  slim('/register1', () => import('#features/accounts/register1-screen.tsx').then(m => m.Register1Screen)),
  slim('/register2', () => import('#features/accounts/register2-screen.tsx').then(m => m.Register2Screen)),
  slim('/register3', () => import('#features/accounts/register3-screen.tsx').then(m => m.Register3Screen)),
  slim('/activate/:token', () => import('#features/accounts/activate-screen.tsx').then(m => m.ActivateScreen)),
  slim('/undo/:token', () => import('#features/accounts/undo-screen.tsx').then(m => m.UndoScreen)),
  own('/edit', () => import('#features/accounts/edit-screen.tsx').then(m => m.EditScreen)),
  slim('/login', () => import('#features/session/login-screen.tsx').then(m => m.LoginScreen)),
  own('/password-change', () =>
    import('#features/session/password-change-screen.tsx').then(m => m.PasswordChangeScreen),
  ),
  own('/sessions', () => import('#features/session/sessions-screen.tsx').then(m => m.SessionsScreen)),
  own('/reminders', () => import('#features/reminders/reminders-screen.tsx').then(m => m.RemindersScreen)),
  own('/messages', () => import('#features/inbox/messages-screen.tsx').then(m => m.MessagesScreen)),
  route('/photo-album', () => import('#features/gallery/albums-screen.tsx').then(m => m.AlbumsScreen)),
  route('/photo-album/:id', () => import('#features/gallery/photos-screen.tsx').then(m => m.PhotosScreen)),
  route('/inprint', () => import('#features/pages/inprint-screen.tsx').then(m => m.InprintScreen)),
  route('/privacy', () => import('./legal-screens.tsx').then(m => m.PrivacyScreen)),
  route('/faq', () => import('./legal-screens.tsx').then(m => m.FaqScreen)),
  route('/contact', () => import('#features/pages/contact-screen.tsx').then(m => m.ContactScreen)),
  route('/teilnahmebedingung', () => import('./legal-screens.tsx').then(m => m.ConditionsScreen)),
  route('/instructor', () => import('#features/content/instructor-screen.tsx').then(m => m.InstructorScreen)),
  route('/teamsport', () => import('#features/pages/team-screen.tsx').then(m => m.TeamScreen)),
  route('/flyers', () => import('#features/content/flyers-screen.tsx').then(m => m.FlyersScreen)),
  route('/courseprogram', () => import('#features/content/course-program-screen.tsx').then(m => m.CourseProgramScreen)),
  route('/info', () => import('#features/pages/info-screen.tsx').then(m => m.InfoScreen)),
  namedRoute('/office(/.+)?', 'office', () => import('./office/door.tsx').then(m => m.OfficeDoor), {
    access: 'session',
  }),
  route('/offline', () => import('#app/offline/offline-screen.tsx').then(m => m.OfflineScreen)),
]

export const notFoundRoute = namedRoute('*', 'not-found', () =>
  import('./not-found-screen.tsx').then(m => m.NotFoundScreen),
)

export const findRoute = (address: string): AppRoute =>
  routes.find(({ path }) => isPageAt(path, address)) ?? notFoundRoute

/** Fetches the first screen beside the texts and the data, not after them, and later those that most people go on to. */
export async function preloadScreen(address = window.location.pathname): Promise<void> {
  // What fails here fails again where the screen is shown, and is told there.
  await findRoute(address)
    .preload()
    .catch(() => undefined)
}

/** Makes every other screen ready while nothing else is to do, so that a tap shows it at once. */
export async function preloadOtherScreens(): Promise<void> {
  for (const { preload } of routes) {
    await pageIdle()
    // It is fetched when it is opened.
    await preload().catch(() => undefined)
  }
}
