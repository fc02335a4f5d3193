import type { MenuPage } from './navigation.ts'

export const userMenu: MenuPage[] = [
  '/courses/booked',
  '/costs',
  '/edit',
  '/password-change',
  '/sessions',
  '/reminders',
  '/messages',
]
