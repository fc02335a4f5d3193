import type { InstructorProfile, WebContentItem } from '#contract/endpoints/content.ts'
import { api } from '#lib/api.ts'
import { createResource } from '#lib/resource.ts'

type Content = { items: readonly WebContentItem[]; instructors: readonly InstructorProfile[] }

export const useContent = createResource<Content>({
  of: 'everyone',
  key: 'content',
  empty: { items: [], instructors: [] },
  fetch: async () => {
    const [items, instructors] = await Promise.all([api.listWebContentItems(), api.listInstructors()])
    return { items, instructors }
  },
  isUsable: ({ items, instructors }) =>
    items.every(({ contentType }) => typeof contentType === 'string') &&
    instructors.every(({ familyName }) => typeof familyName === 'string'),
})
