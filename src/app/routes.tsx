import { type ComponentType, lazy } from 'react'

export type AppRoute = {
  path: string
  /** names the page title `shell:title.<name>` */
  name: string
  /** `slim`: without the main menu */
  layout: 'main' | 'slim'
  /** `session`: without one, and when it ends, the start page shows instead */
  access?: 'session'
  screen: ComponentType
}

const home = lazy(() => import('#features/content/home-screen.tsx').then(m => ({ default: m.HomeScreen })))

/** Every screen of the app; the root shows the start page. */
export const routes: AppRoute[] = [
  {
    path: '/',
    name: 'home',
    layout: 'main',
    screen: home,
  },
  {
    path: '/home',
    name: 'home',
    layout: 'main',
    screen: home,
  },
  {
    path: '/courses',
    name: 'course-list',
    layout: 'main',
    screen: lazy(() => import('#features/courses/course-list-screen.tsx').then(m => ({ default: m.CourseListScreen }))),
  },
  {
    path: '/courses/booked',
    name: 'booked-courses',
    layout: 'main',
    access: 'session',
    screen: lazy(() =>
      import('#features/bookings/booked-courses-screen.tsx').then(m => ({ default: m.BookedCoursesScreen })),
    ),
  },
  {
    path: '/courses/instructor',
    name: 'instructor-courses',
    layout: 'main',
    access: 'session',
    screen: lazy(() =>
      import('#features/attendance/instructor-courses-screen.tsx').then(m => ({ default: m.InstructorCoursesScreen })),
    ),
  },
  {
    path: '/course-details/:id',
    name: 'course-details',
    layout: 'main',
    screen: lazy(() =>
      import('#features/courses/course-details-screen.tsx').then(m => ({ default: m.CourseDetailsScreen })),
    ),
  },
  {
    path: '/course-participation/:id',
    name: 'course-participation',
    layout: 'main',
    access: 'session',
    screen: lazy(() =>
      import('#features/attendance/course-participation-screen.tsx').then(m => ({
        default: m.CourseParticipationScreen,
      })),
    ),
  },
  {
    path: '/register1',
    name: 'register1',
    layout: 'slim',
    screen: lazy(() => import('#features/accounts/register1-screen.tsx').then(m => ({ default: m.Register1Screen }))),
  },
  {
    path: '/register2',
    name: 'register2',
    layout: 'slim',
    screen: lazy(() => import('#features/accounts/register2-screen.tsx').then(m => ({ default: m.Register2Screen }))),
  },
  {
    path: '/register3',
    name: 'register3',
    layout: 'slim',
    screen: lazy(() => import('#features/accounts/register3-screen.tsx').then(m => ({ default: m.Register3Screen }))),
  },
  {
    path: '/activate/:token',
    name: 'activate',
    layout: 'slim',
    screen: lazy(() => import('#features/accounts/activate-screen.tsx').then(m => ({ default: m.ActivateScreen }))),
  },
  {
    path: '/edit',
    name: 'edit',
    layout: 'main',
    access: 'session',
    screen: lazy(() => import('#features/accounts/edit-screen.tsx').then(m => ({ default: m.EditScreen }))),
  },
  {
    path: '/login',
    name: 'login',
    layout: 'slim',
    screen: lazy(() => import('#features/session/login-screen.tsx').then(m => ({ default: m.LoginScreen }))),
  },
  {
    path: '/password-change',
    name: 'password-change',
    layout: 'main',
    access: 'session',
    screen: lazy(() =>
      import('#features/session/password-change-screen.tsx').then(m => ({ default: m.PasswordChangeScreen })),
    ),
  },
  {
    path: '/messages',
    name: 'messages',
    layout: 'main',
    access: 'session',
    screen: lazy(() => import('#features/inbox/messages-screen.tsx').then(m => ({ default: m.MessagesScreen }))),
  },
  {
    path: '/photo-album',
    name: 'albums',
    layout: 'main',
    screen: lazy(() => import('#features/gallery/albums-screen.tsx').then(m => ({ default: m.AlbumsScreen }))),
  },
  {
    path: '/photo-album/:id',
    name: 'photos',
    layout: 'main',
    screen: lazy(() => import('#features/gallery/photos-screen.tsx').then(m => ({ default: m.PhotosScreen }))),
  },
  {
    path: '/inprint',
    name: 'inprint',
    layout: 'main',
    screen: lazy(() => import('#features/content/inprint-screen.tsx').then(m => ({ default: m.InprintScreen }))),
  },
  {
    path: '/privacy',
    name: 'privacy',
    layout: 'main',
    screen: lazy(() => import('#features/content/privacy-screen.tsx').then(m => ({ default: m.PrivacyScreen }))),
  },
  {
    path: '/faq',
    name: 'faq',
    layout: 'main',
    screen: lazy(() => import('#features/content/faq-screen.tsx').then(m => ({ default: m.FaqScreen }))),
  },
  {
    path: '/contact',
    name: 'contact',
    layout: 'main',
    screen: lazy(() => import('#features/content/contact-screen.tsx').then(m => ({ default: m.ContactScreen }))),
  },
  {
    path: '/teilnahmebedingung',
    name: 'conditions',
    layout: 'main',
    screen: lazy(() => import('#features/content/conditions-screen.tsx').then(m => ({ default: m.ConditionsScreen }))),
  },
  {
    path: '/instructor',
    name: 'instructor',
    layout: 'main',
    screen: lazy(() => import('#features/content/instructor-screen.tsx').then(m => ({ default: m.InstructorScreen }))),
  },
  {
    path: '/teamsport',
    name: 'team',
    layout: 'main',
    screen: lazy(() => import('#features/content/team-screen.tsx').then(m => ({ default: m.TeamScreen }))),
  },
  {
    path: '/flyers',
    name: 'flyers',
    layout: 'main',
    screen: lazy(() => import('#features/content/flyers-screen.tsx').then(m => ({ default: m.FlyersScreen }))),
  },
  {
    path: '/courseprogram',
    name: 'course-program',
    layout: 'main',
    screen: lazy(() =>
      import('#features/content/course-program-screen.tsx').then(m => ({ default: m.CourseProgramScreen })),
    ),
  },
  {
    path: '/info',
    name: 'info',
    layout: 'main',
    screen: lazy(() => import('#features/content/info-screen.tsx').then(m => ({ default: m.InfoScreen }))),
  },
  {
    path: '/offline',
    name: 'offline',
    layout: 'main',
    screen: lazy(() => import('#features/content/offline-screen.tsx').then(m => ({ default: m.OfflineScreen }))),
  },
]

export const notFoundRoute: AppRoute = {
  path: '*',
  name: 'not-found',
  layout: 'main',
  screen: lazy(() => import('./not-found-screen.tsx').then(m => ({ default: m.NotFoundScreen }))),
}
