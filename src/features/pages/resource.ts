import type { Page } from '#contract/content-words.ts'
import { resource } from '#lib/resource.ts'
import { listPages } from './api.ts'

/** Pages edited by the department. */
export const usePages = resource<readonly { page: Page; text: string; text2: string }[]>({
  of: 'everyone',
  key: 'pages',
  empty: [],
  fetch: listPages,
  isUsable: pages =>
    pages.every(({ page, text, text2 }) => page && typeof text === 'string' && typeof text2 === 'string'),
})
