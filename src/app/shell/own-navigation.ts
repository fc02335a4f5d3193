import type { MenuPage } from './navigation.ts'

export const userMenu: MenuPage[] = [
  '/courses/booked',
  '/edit',
  '/password-change',
  '/sessions',
  '/reminders',
  '/messages',
]
