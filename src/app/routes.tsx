import i18next from 'i18next'
import type { ComponentType } from 'react'
import { lazyPlan } from '#app/home/lazy-plan.ts'
import { isPageAt, PAGES, type PagePath } from '#contract/endpoints/public-pages.ts'
import { lazyBookingActions } from '#features/bookings/components/lazy-booking-actions.ts'
import { waitForPageIdle, withTimeout } from '#lib/lazy-load.ts'
import { readSessionToken } from '#lib/session-token.ts'
import { type LoadScreen, lazyComponent, lazyScreen } from '#ui/lazy-screen.tsx'

export type AppRoute = {
  path: string
  /** key of the page title: `shell:title.<name>` */
  name: string
  /**
   * `slim`: without the main menu; `bare`: only the screen; `office`: the office UI with its own layout, for users with
   * office permissions
   */
  layout: 'main' | 'slim' | 'bare' | 'office'
  /** `session`: requires a login; logging out leads to the start page */
  access: 'public' | 'session'
  screen: ComponentType
  /** loads the screen's chunk ahead of time */
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
/** Requires a session. */
const own = (path: PagePath, load: LoadScreen) => route(path, load, { access: 'session' })
/** Login and registration pages. */
const slim = (path: PagePath, load: LoadScreen) => route(path, load, { layout: 'slim' })

const { screen: FollowChosen } = lazyComponent(() =>
  import('./course-list/follow-chosen.tsx').then(m => m.FollowFilterButton),
)

const { screen: CoursePanel } = lazyComponent(() =>
  import('#app/course-details/course-details-screen.tsx').then(m => m.CoursePanel),
)

const { screen: UnsentChanges } = lazyComponent(() =>
  import('#features/attendance/components/unsent-card.tsx').then(m => () => <m.UnsentChangesCard isAtLogin />),
)

/** If a session is stored, the plan is loaded together with the screen. */
const home: LoadScreen = async () => {
  const [{ HomeScreen }] = await Promise.all([
    import('#app/home/home-screen.tsx'),
    // If this fails, it fails again where the plan is rendered, and is reported there.
    readSessionToken() === null ? null : lazyPlan.preload().catch(() => null),
  ])
  return HomeScreen
}

let loadOffice: LoadScreen = () => Promise.reject(new Error('the desk was not handed in'))
/** Hands in the desk, a layer above the app. */
export const setOfficeScreen = (load: LoadScreen) => {
  loadOffice = load
}

/** All screens of the app. The root path is the start page. */
export const routes: AppRoute[] = [
  route('/', home),
  route('/home', home),
  route('/courses', async () => {
    const { CourseListScreen, loadSearchModule, showListViewOf } = await import(
      '#features/courses/course-list-screen.tsx'
    )
    // Before the first render: an effect would replace the list that is already painted.
    showListViewOf(window.location.search)
    // If the URL contains a search text, the search index is loaded before the list.
    if (/[?&]q=/.test(window.location.search)) await loadSearchModule()
    return () => <CourseListScreen Follow={FollowChosen} Panel={CoursePanel} />
  }),
  own('/courses/booked', async () => {
    const [{ BookedCoursesScreen }] = await Promise.all([
      import('#features/bookings/booked-courses-screen.tsx'),
      withTimeout(i18next.loadNamespaces(['own-bookings'])),
    ])
    return BookedCoursesScreen
  }),
  own('/costs', () => import('#features/money/costs-screen.tsx').then(m => m.CostsScreen)),
  own('/courses/instructor', () =>
    import('#features/attendance/instructor-courses-screen.tsx').then(m => m.InstructorCoursesScreen),
  ),
  route('/course-details/:id', async () => {
    const [{ CourseByNumber, CourseDetailsScreen }] = await Promise.all([
      import('#app/course-details/course-details-screen.tsx'),
      // If this fails, it fails again when the user books, and is reported there.
      readSessionToken() === null ? null : lazyBookingActions.preload().catch(() => null),
    ])
    return () => <CourseByNumber Screen={CourseDetailsScreen} />
  }),
  route(
    '/course-participation/:id',
    () => import('#features/attendance/course-participation-screen.tsx').then(m => m.CourseParticipationScreen),
    { access: 'session', layout: 'bare' },
  ),
  slim('/register1', () => import('#features/accounts/register1-screen.tsx').then(m => m.RegisterCredentialsScreen)),
  slim('/register2', () => import('#features/accounts/register2-screen.tsx').then(m => m.RegisterPersonalDataScreen)),
  slim('/register3', () => import('#features/accounts/register3-screen.tsx').then(m => m.RegisterEmploymentScreen)),
  slim('/activate/:token', () => import('#features/accounts/activate-screen.tsx').then(m => m.ActivateScreen)),
  slim('/undo/:token', () =>
    import('#features/accounts/undo-account-change-screen.tsx').then(m => m.UndoAccountChangeScreen),
  ),
  slim('/substitute/:token', () => import('#features/attendance/substitute-screen.tsx').then(m => m.SubstituteScreen)),
  own('/edit', () => import('#features/accounts/edit-screen.tsx').then(m => m.EditProfileScreen)),
  slim('/login', async () => {
    const { LoginScreen } = await import('#features/session/login-screen.tsx')
    return () => <LoginScreen Unsent={UnsentChanges} />
  }),
  own('/password-change', () =>
    import('#features/session/password-change-screen.tsx').then(m => m.PasswordChangeScreen),
  ),
  own('/sessions', () => import('#features/session/sessions-screen.tsx').then(m => m.SessionsScreen)),
  own('/reminders', () => import('#features/reminders/reminders-screen.tsx').then(m => m.RemindersScreen)),
  own('/messages', () => import('#features/inbox/messages-screen.tsx').then(m => m.MessagesScreen)),
  route('/photo-album', () => import('#features/gallery/albums-screen.tsx').then(m => m.AlbumsScreen)),
  route('/photo-album/:id', () => import('#features/gallery/photos-screen.tsx').then(m => m.PhotosScreen)),
  route('/inprint', () => import('#features/pages/inprint-screen.tsx').then(m => m.ImprintScreen)),
  route('/privacy', () => import('./legal-screens.tsx').then(m => m.PrivacyScreen)),
  route('/accessibility', () => import('#features/pages/accessibility-screen.tsx').then(m => m.AccessibilityScreen)),
  route('/processing-record', () =>
    import('#features/pages/processing-record-screen.tsx').then(m => m.ProcessingRecordScreen),
  ),
  route('/superiors', () => import('#features/pages/superiors-screen.tsx').then(m => m.SuperiorsScreen)),
  route('/faq', () => import('./legal-screens.tsx').then(m => m.FaqScreen)),
  route('/contact', () => import('#features/pages/contact-screen.tsx').then(m => m.ContactScreen)),
  route('/teilnahmebedingung', () => import('./legal-screens.tsx').then(m => m.ConditionsScreen)),
  route('/instructor', () => import('#features/content/instructor-screen.tsx').then(m => m.InstructorScreen)),
  route('/teamsport', () => import('#features/pages/team-screen.tsx').then(m => m.TeamScreen)),
  route('/flyers', () => import('#features/content/flyers-screen.tsx').then(m => m.FlyersScreen)),
  route('/courseprogram', () => import('#features/content/course-program-screen.tsx').then(m => m.CourseProgramScreen)),
  route('/info', () => import('#features/pages/info-screen.tsx').then(m => m.InformationOverviewScreen)),
  namedRoute('/office(/.+)?', 'office', () => loadOffice(), { access: 'session', layout: 'office' }),
  route('/certificates', () => import('#features/certificates/certificate-screen.tsx').then(m => m.CertificateScreen)),
  route('/booking-order/:id', () =>
    import('#features/bookings/booking-order-screen.tsx').then(m => m.BookingOrderScreen),
  ),
  route('/offline', () => import('#app/offline/offline-screen.tsx').then(m => m.OfflineScreen)),
]

export const notFoundRoute = namedRoute('*', 'not-found', () =>
  import('./not-found-screen.tsx').then(m => m.NotFoundScreen),
)

export const findRoute = (address: string): AppRoute =>
  routes.find(({ path }) => isPageAt(path, address)) ?? notFoundRoute

/**
 * Loads the first screen concurrently with its texts and data. Later, it also loads screens that are likely to come
 * next.
 */
export async function preloadScreen(address = window.location.pathname): Promise<void> {
  // If this fails, it fails again where the screen is rendered, and is reported there.
  await findRoute(address)
    .preload()
    .catch(() => undefined)
}

/** Preloads all other screens while the browser is idle, so that navigation is immediate. */
export async function preloadOtherScreens(): Promise<void> {
  for (const { preload } of routes) {
    await waitForPageIdle()
    // A screen that fails to preload is loaded on navigation instead.
    await preload().catch(() => undefined)
  }
}
