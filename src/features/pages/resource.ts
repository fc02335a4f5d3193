import type { EditablePageName } from '#contract/content-words.ts'
import { api } from '#lib/api.ts'
import { createResource } from '#lib/resource.ts'

/** Pages with texts edited by the department. */
export const usePages = createResource<readonly { page: EditablePageName; text: string; text2: string }[]>({
  of: 'everyone',
  key: 'pages',
  empty: [],
  fetch: api.listPages,
  isUsable: pages =>
    pages.every(({ page, text, text2 }) => page && typeof text === 'string' && typeof text2 === 'string'),
})
