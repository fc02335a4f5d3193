// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { startUnreadBadge } from './sync.ts'

const session = { webUserId: 7, userName: 'kim@demo.example', hasUnreadMessages: true } as Session

/** Calls of the Badging API. */
let shown: string[] = []
Object.assign(navigator, {
  setAppBadge: async () => shown.push('badge'),
  clearAppBadge: async () => shown.push('none'),
})
startUnreadBadge()

beforeEach(() => {
  useSession.setState({ phase: 'none', session: null })
  shown = []
})

test('the icon has a badge while there are unread messages', () => {
  useSession.setState({ phase: 'started', session })
  useSession.getState().update({ hasUnreadMessages: false })
  expect(shown).toEqual(['badge', 'none'])
})

test('the end of the session removes the badge', () => {
  useSession.setState({ phase: 'started', session })
  useSession.setState({ phase: 'none', session: null })
  expect(shown).toEqual(['badge', 'none'])
})

test('a rejected badge causes no error', async () => {
  Object.assign(navigator, { setAppBadge: () => Promise.reject(new DOMException('not installed')) })
  useSession.setState({ phase: 'started', session })
  await Promise.resolve()
  expect(useSession.getState().phase).toBe('started')
})
