import i18next from 'i18next'
import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { Router } from 'wouter'
import { CourseDetailsScreen } from '#app/course-details/course-details-screen.tsx'
import { HomeScreen } from '#app/home/home-screen.tsx'
import type { IndexedCourse } from '#contract/endpoints/course-index.ts'
import type { CourseTexts } from '#contract/endpoints/courses.ts'
import { isPageAt, PAGES } from '#contract/endpoints/public-pages.ts'
import { CourseListScreen } from '#features/courses/course-list-screen.tsx'
import { mergeCourseDetails, mergeCourseState } from '#features/courses/model.ts'
import { useCourseIndex, useCourseTexts } from '#features/courses/resource.ts'
import { structuredDataOf } from '#features/courses/structured-data-model.ts'
import { useSession } from '#features/session/store.ts'
import * as texts from '../i18n/first-de.ts'
import type { AppRoute } from './routes.tsx'
import { Coming, Page } from './shell/page.tsx'

/** Data from which the server renders the initial HTML. */
export type FirstViewData = { courses: IndexedCourse[]; texts: CourseTexts[] }

const SCREENS: Record<string, { path: string; name: string; screen: ComponentType }> = {
  '/home': { path: '/home', name: 'home', screen: HomeScreen },
  '/courses': { path: '/courses', name: 'course-list', screen: CourseListScreen },
  '/course-details': { path: '/course-details/:id', name: 'course-details', screen: CourseDetailsScreen },
}

/** Pages without the main menu, see routes.tsx. */
const SLIM = new Set<string>(['login', 'register1', 'register2', 'register3', 'activate', 'undo'])

/** Any other page: its title and a placeholder, which the app shows as well while the page's screen is loading. */
function pageAt(address: string) {
  const [path, name] = Object.entries(PAGES).find(([known]) => isPageAt(known, address)) ?? []
  if (!path || !name) throw new Error(`${address} is no page of the app`)
  return { path, name, screen: () => <Coming title={i18next.t(`title.${name}`)} course={undefined} /> }
}

/** Sets the initial state of a store, which is what components read during server-side rendering. */
const start = <State extends object>(store: { getInitialState: () => State }, state: Partial<State>) =>
  Object.assign(store.getInitialState(), state)

const ready = i18next.use(initReactI18next).init({
  lng: 'de',
  fallbackLng: false,
  defaultNS: 'shell',
  resources: { de: texts },
  interpolation: { escapeValue: false },
})

/**
 * Renders a screen in its shell to HTML, as an anonymous visitor sees it in German. Inline styles are omitted because
 * of the CSP. See docs/decisions/0064.
 * @param screen one of `SCREENS`, or `/page` for the placeholder of any other page
 * @param address full URL
 */
export async function renderFirstView(screen: string, address: string, data: FirstViewData): Promise<string> {
  await ready
  const found = SCREENS[screen] ?? pageAt(address)
  start(useSession, { phase: 'none' })
  start(useCourseIndex, { phase: 'ready', data: data.courses })
  start(useCourseTexts, { phase: 'ready', data: new Map(data.texts.map(text => [text.id, text])) })
  const layout = SLIM.has(found.name) ? 'slim' : 'main'
  const route: AppRoute = { ...found, layout, access: 'public', preload: async () => undefined }
  const markup = renderToStaticMarkup(
    <Router ssrPath={address} ssrSearch="">
      <Page route={route} />
    </Router>,
  )
  const { pathname } = new URL(address, window.location.origin)
  const id = found.name === 'course-details' ? Number(pathname.split('/').at(-1)) : 0
  const course = data.courses.find(one => one.id === id)
  const details = course && mergeCourseDetails(mergeCourseState(course, undefined), data.texts[0], undefined)
  const structured = details
    ? `<script type="application/ld+json">${structuredDataOf(details, 'de', window.location.origin)}</script>`
    : ''
  // If a screen throws, React renders only its Suspense fallback.
  if (!markup.includes('<h1')) throw new Error(`the screen of ${address} could not be rendered`)
  return markup.replace(/ style="[^"]*"/g, '') + structured
}
