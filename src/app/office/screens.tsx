import type { ComponentType } from 'react'
import type { Right } from '#contract/rights.ts'
import { ConnectionsScreen } from '#features/office/connections-screen.tsx'
import { FirstPasskeyScreen } from '#features/office/first-passkey-screen.tsx'
import { RecordScreen } from '#features/office/record-screen.tsx'
import { RightsScreen } from '#features/office/rights-screen.tsx'
import { TodayScreen } from '#features/office/today-screen.tsx'
import { ContentScreen } from '#features/office-content/content-screen.tsx'
import { ImportScreen } from '#features/office-content/import-screen.tsx'
import { HrListScreen } from '#features/office-people/hr-list-screen.tsx'
import { LettersScreen } from '#features/office-people/letters-screen.tsx'
import { ListsScreen } from '#features/office-people/lists-screen.tsx'
import { MessagesScreen } from '#features/office-people/messages-screen.tsx'
import { PeopleScreen } from '#features/office-people/people-screen.tsx'
import { PersonScreen } from '#features/office-people/person-screen.tsx'
import { BasicsScreen } from '#features/office-programme/basics-screen.tsx'
import { CourseScreen } from '#features/office-programme/course-screen.tsx'
import { SeasonScreen } from '#features/office-programme/season-screen.tsx'

export type DeskScreen = {
  path: string
  /** in the office navigation, with the text `office:nav.<nav>` */
  nav?: string
  /** one of these is required; empty: any office right */
  rights: readonly Right[]
  screen: ComponentType<{ last: string }>
}

/** All screens of the office, in navigation order. */
export const deskScreens: readonly DeskScreen[] = [
  { path: '/office', nav: 'today', rights: [], screen: TodayScreen },
  { path: '/office/season', nav: 'season', rights: ['programme', 'bookings'], screen: SeasonScreen },
  { path: '/office/courses/:id', rights: ['programme', 'bookings'], screen: CourseScreen },
  { path: '/office/people', nav: 'people', rights: ['bookings', 'owner'], screen: PeopleScreen },
  { path: '/office/people/:id', rights: ['bookings', 'owner'], screen: PersonScreen },
  { path: '/office/messages', nav: 'messages', rights: ['bookings'], screen: MessagesScreen },
  { path: '/office/lists', nav: 'lists', rights: ['bookings', 'billing'], screen: ListsScreen },
  { path: '/office/hr-list', rights: ['bookings'], screen: HrListScreen },
  { path: '/office/letters', rights: ['bookings'], screen: LettersScreen },
  { path: '/office/record', nav: 'record', rights: ['record', 'owner'], screen: RecordScreen },
  { path: '/office/content', nav: 'content', rights: ['content'], screen: ContentScreen },
  { path: '/office/basics', nav: 'basics', rights: ['programme'], screen: BasicsScreen },
  { path: '/office/import', nav: 'import', rights: ['programme'], screen: ImportScreen },
  { path: '/office/connections', nav: 'connections', rights: ['owner'], screen: ConnectionsScreen },
  { path: '/office/rights', nav: 'rights', rights: ['owner'], screen: RightsScreen },
  { path: '/office/passkey/:token', rights: [], screen: FirstPasskeyScreen },
]

/**
 * The screen of a URL, and the path segment after it instead of a name. Does not use `isPageAt`, which would add office
 * code to the entry chunk.
 */
export function findDeskScreen(screens: readonly DeskScreen[], address: string) {
  const given = address.replace(/\/$/, '').split('/')
  const present = screens.find(({ path }) => {
    const parts = path.split('/')
    return parts.length === given.length && parts.every((part, index) => part.startsWith(':') || part === given[index])
  })
  return present && { ...present, last: given.at(-1) ?? '' }
}
