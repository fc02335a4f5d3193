import type { ComponentType } from 'react'
import type { Right } from '#contract/values.ts'
import { ContentScreen } from '#office/content/content-screen.tsx'
import { ImportScreen } from '#office/content/import-screen.tsx'
import { AuditLogScreen } from '#office/frame/audit-log-screen.tsx'
import { ConnectionsScreen } from '#office/frame/connections-screen.tsx'
import { FirstPasskeyScreen } from '#office/frame/first-passkey-screen.tsx'
import { RightsScreen } from '#office/frame/rights-screen.tsx'
import { RECORD_RIGHTS } from '#office/frame/use-panel.ts'
import { BatchScreen } from '#office/money/batch-screen.tsx'
import { MoneyScreen } from '#office/money/money-screen.tsx'
import { ReportScreen } from '#office/money/report-screen.tsx'
import { SettlementScreen } from '#office/money/settlement-screen.tsx'
import { BookingsScreen } from '#office/people/bookings-screen.tsx'
import { DuplicatesScreen } from '#office/people/duplicates-screen.tsx'
import { HrListScreen } from '#office/people/hr-list-screen.tsx'
import { LettersScreen } from '#office/people/letters-screen.tsx'
import { ListsScreen } from '#office/people/lists-screen.tsx'
import { MessagesScreen } from '#office/people/messages-screen.tsx'
import { PeopleScreen } from '#office/people/people-screen.tsx'
import { PersonScreen } from '#office/people/person-screen.tsx'
import { CourseScreen } from '#office/programme/course-screen.tsx'
import { MasterDataScreen } from '#office/programme/master-data-screen.tsx'
import { SeasonScreen } from '#office/programme/season-screen.tsx'
import type { OfficeSectionKey } from './office-sections.ts'
import { TodayWithWelcome } from './welcome.tsx'

export type OfficeScreen = {
  path: string
  /** navigation section that contains the screen */
  place?: OfficeSectionKey
  /**
   * makes the screen a tab of its section, labelled `office:page.<nav>`; if missing, the screen can only be reached
   * from other screens
   */
  nav?: string
  /** permissions of which the user needs at least one; if empty, any office permission suffices */
  rights: readonly Right[]
  screen: ComponentType<{ last: string }>
}

/** All screens of the office UI. The pages of a section are in the order of their tabs. */
export const officeScreens: readonly OfficeScreen[] = [
  { path: '/office', place: 'today', nav: 'today', rights: [], screen: TodayWithWelcome },
  {
    path: '/office/season',
    place: 'programme',
    nav: 'season',
    rights: ['programme', 'bookings'],
    screen: SeasonScreen,
  },
  { path: '/office/import', place: 'programme', nav: 'import', rights: ['programme'], screen: ImportScreen },
  { path: '/office/courses/:id', place: 'programme', rights: RECORD_RIGHTS.courses, screen: CourseScreen },
  { path: '/office/people', place: 'people', nav: 'people', rights: ['bookings', 'owner'], screen: PeopleScreen },
  { path: '/office/people/:id', place: 'people', rights: RECORD_RIGHTS.people, screen: PersonScreen },
  {
    path: '/office/bookings',
    place: 'people',
    nav: 'bookings',
    rights: ['bookings', 'billing'],
    screen: BookingsScreen,
  },
  {
    path: '/office/duplicates',
    place: 'people',
    nav: 'duplicates',
    rights: ['bookings'],
    screen: DuplicatesScreen,
  },
  { path: '/office/hr-list', place: 'people', nav: 'hrList', rights: ['bookings'], screen: HrListScreen },
  { path: '/office/letters', place: 'people', nav: 'letters', rights: ['bookings'], screen: LettersScreen },
  { path: '/office/money', place: 'money', nav: 'money', rights: ['billing'], screen: MoneyScreen },
  { path: '/office/money/batches/:id', place: 'money', rights: ['billing'], screen: BatchScreen },
  { path: '/office/money/courses/:id', place: 'money', rights: ['billing'], screen: SettlementScreen },
  { path: '/office/messages', place: 'messages', nav: 'messages', rights: ['bookings'], screen: MessagesScreen },
  { path: '/office/report', place: 'report', nav: 'report', rights: ['billing'], screen: ReportScreen },
  { path: '/office/lists', place: 'report', nav: 'lists', rights: ['bookings', 'billing'], screen: ListsScreen },
  { path: '/office/content', place: 'content', nav: 'content', rights: ['content'], screen: ContentScreen },
  { path: '/office/basics', place: 'setup', nav: 'basics', rights: ['programme'], screen: MasterDataScreen },
  { path: '/office/rights', place: 'setup', nav: 'rights', rights: ['owner'], screen: RightsScreen },
  { path: '/office/connections', place: 'setup', nav: 'connections', rights: ['owner'], screen: ConnectionsScreen },
  { path: '/office/record', place: 'record', nav: 'record', rights: ['record', 'owner'], screen: AuditLogScreen },
  { path: '/office/passkey/:token', rights: [], screen: FirstPasskeyScreen },
]
