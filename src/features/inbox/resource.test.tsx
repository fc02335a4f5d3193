import 'fake-indexeddb/auto'
import { act, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ANONYMOUS_SESSION } from '#contract/endpoints/session.ts'
import { useSession } from '#features/session/store.ts'
import { refetchAll, setDataOwner } from '#lib/resource.ts'
import { render } from '#test/render.tsx'
import { MessagesScreen } from './messages-screen.tsx'

/** Requests for the messages, which mark them as read on the server. */
const requests = vi.fn()
vi.stubGlobal('fetch', async ({ url }: Request) => {
  if (url.endsWith('/messages')) requests()
  return Response.json([])
})

function logIn(webUserId: number, userName: string): void {
  useSession.setState({ phase: 'started', session: { ...ANONYMOUS_SESSION, id: userName, webUserId, userName } })
  setDataOwner({ webUserId, userName })
}

let leave = () => {}
function Screens() {
  const [isInbox, setIsInbox] = useState(true)
  leave = () => setIsInbox(false)
  return isInbox && <MessagesScreen />
}

test('messages are requested only while the inbox is open, because the request marks them as read', async () => {
  window.location.href = 'http://portal.example/messages'
  logIn(7, 'kim')
  await render(<Screens />, 'inbox')
  await vi.waitFor(() => expect(requests).toHaveBeenCalledTimes(1))
  await act(() => refetchAll('asked'))
  expect(requests).toHaveBeenCalledTimes(2)

  await act(async () => leave())
  await refetchAll('asked')
  logIn(8, 'mara')
  await refetchAll('asked')
  expect(requests).toHaveBeenCalledTimes(2)
})
