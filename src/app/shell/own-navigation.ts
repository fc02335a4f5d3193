import type { NavItem } from './navigation.ts'

export const userMenu: NavItem[] = [
  { key: 'myCourses', route: '/courses/booked' },
  { key: 'editProfile', route: '/edit' },
  { key: 'changePassword', route: '/password-change' },
  { key: 'sessions', route: '/sessions' },
  { key: 'reminders', route: '/reminders' },
  { key: 'myMessages', route: '/messages' },
]

/** For whoever has a right there. */
export const office: NavItem = { key: 'office', route: '/office' }
