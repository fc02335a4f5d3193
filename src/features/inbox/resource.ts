import type { InboxItem } from '#contract/endpoints/inbox.ts'
import { useSession } from '#features/session/store.ts'
import { api } from '#lib/api.ts'
import { cleanHtml, hasMarkup } from '#lib/clean-html.ts'
import { withProgress } from '#lib/progress.ts'
import { createListResource } from '#lib/resource.ts'

export const useMessages = createListResource<InboxItem>({
  of: 'person',
  key: 'messages',
  fetch: async () => {
    const asked = useSession.getState().session?.id
    const messages = await api.listMessages()
    const { session, update } = useSession.getState()
    if (session?.id === asked) update({ hasUnreadMessages: false })
    // Sanitized before rendering to prevent a layout shift. If the sanitizer cannot be loaded, messages appear as plain
    // text.
    await Promise.all(messages.filter(({ text }) => hasMarkup(text)).map(m => cleanHtml(m.text).catch(() => undefined)))
    return messages
  },
})

/** Fetches the document attached to a message, which marks the message as read. @throws ApiError, NoResponseError */
export async function fetchMessageDocument(id: number): Promise<Blob> {
  const document = await withProgress(api.getInboxFile({ params: { id } }))
  useMessages.change(messages => messages.map(message => (message.id === id ? { ...message, seen: true } : message)))
  return document
}
