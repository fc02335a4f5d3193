import type { InboxItem } from '#contract/inbox.ts'
import { storedValue } from '#lib/stored-value.ts'

/** One person's messages as fetched at `fetchedAt` (ms since 1970, the device's clock); gone at logout. */
export const messagesCache = storedValue<{ webUserId: number; messages: InboxItem[]; fetchedAt: number }>(
  'messages',
  ({ webUserId, messages, fetchedAt }) =>
    Number.isInteger(webUserId) && Number.isFinite(fetchedAt) && messages.every(({ id }) => Number.isInteger(id)),
)
