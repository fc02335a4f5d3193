import { create } from 'zustand'
import type { InboxItem } from '#contract/inbox.ts'
import { useSession } from '#features/session/store.ts'
import { serverNow } from '#lib/clock.ts'
import { withProgress } from '#lib/progress.ts'
import { getInboxFile, listMessages } from './api.ts'
import { messagesCache } from './cache.ts'

type InboxState = {
  /** newest first; null before they are known */
  messages: readonly InboxItem[] | null
  /** ms since 1970 by the device */
  asOf: number | null
  /** the last try to fetch them failed */
  isStale: boolean
  load: () => Promise<void>
  /** fetches a message's document, which marks the message seen. @throws ApiError, NoAnswerError */
  fetchDocument: (id: number) => Promise<Blob>
}

export const useInbox = create<InboxState>((set, get) => {
  const webUserId = () => useSession.getState().session?.webUserId ?? null

  async function keep(messages: readonly InboxItem[], asOf: number): Promise<void> {
    set({ messages, asOf })
    const owner = webUserId()
    if (owner !== null) await messagesCache.write({ webUserId: owner, messages: [...messages], fetchedAt: asOf })
  }

  /** Shows what the device has kept, unless the server was faster. */
  async function recall(owner: number): Promise<void> {
    const stored = await messagesCache.read()
    if (stored?.webUserId === owner && webUserId() === owner && get().messages === null) {
      set({ messages: stored.messages, asOf: stored.fetchedAt })
    }
  }

  useSession.subscribe(({ session }, before) => {
    if (session?.webUserId !== before.session?.webUserId) set({ messages: null, asOf: null, isStale: false })
  })

  return {
    messages: null,
    asOf: null,
    isStale: false,

    load: async () => {
      const owner = webUserId()
      if (owner === null) return
      const recalled = recall(owner)
      try {
        const messages = await listMessages()
        if (webUserId() !== owner) return
        useSession.getState().update({ hasUnreadMessages: false })
        set({ isStale: false })
        await keep(messages, serverNow())
      } catch {
        await recalled
        if (webUserId() === owner) set({ isStale: true })
      }
    },

    fetchDocument: async id => {
      const document = await withProgress(getInboxFile(id))
      const { messages, asOf } = get()
      if (messages !== null && asOf !== null) {
        await keep(
          messages.map(message => (message.id === id ? { ...message, seen: true } : message)),
          asOf,
        )
      }
      return document
    },
  }
})
