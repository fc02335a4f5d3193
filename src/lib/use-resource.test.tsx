import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#test/render.tsx'
import { NoResponseError } from './api-error.ts'
import { useOnline } from './online.ts'
import { type ScreenResource, startResources, useResource } from './resource.ts'

startResources()

type Feed = { url: string }

const settle = () => act(() => new Promise(resolve => setTimeout(resolve, 20)))

/** Renders a screen and waits for its first request. */
async function openScreen() {
  const asked: PromiseWithResolvers<Feed>[] = []
  vi.stubGlobal('fetch', async () => {
    const answer = Promise.withResolvers<Feed>()
    asked.push(answer)
    return Response.json(await answer.promise)
  })
  window.location.href = 'http://portal.example/'
  const screen: { current: ScreenResource<Feed> | null } = { current: null }
  function Screen() {
    screen.current = useResource('getFeed', {})
    return null
  }
  await render(<Screen />)
  const reload = async () => {
    act(() => void screen.current?.reload())
    await vi.waitFor(() => expect(asked).toHaveLength(2))
  }
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  return { asked, screen, reload }
}

test('a response that arrives after the response to a later request is dropped', async () => {
  const { asked, screen, reload } = await openScreen()
  await reload()
  asked[1]?.resolve({ url: 'later' })
  await settle()
  asked[0]?.resolve({ url: 'earlier' })
  await settle()
  expect(screen.current?.data?.url).toBe('later')
})

test('a failed request is not reported once a later one has succeeded', async () => {
  const { asked, screen, reload } = await openScreen()
  await reload()
  asked[1]?.resolve({ url: 'later' })
  await settle()
  asked[0]?.reject(new Error('gone'))
  await settle()
  expect(screen.current).toMatchObject({ data: { url: 'later' }, error: null, isLoading: false })
})

test('a response does not overwrite what the user has changed since the request', async () => {
  const { asked, screen } = await openScreen()
  act(() => screen.current?.change(() => ({ url: 'changed' })))
  asked[0]?.resolve({ url: 'as it was' })
  await settle()
  expect(screen.current?.data?.url).toBe('changed')
})

test('a screen shows a failure, and loads again once the portal is reachable', async () => {
  const { asked, screen } = await openScreen()
  useOnline.setState({ isOnline: false })
  asked[0]?.reject(new TypeError('Failed to fetch'))
  await settle()
  expect(screen.current).toMatchObject({ data: null, error: expect.any(NoResponseError) })
  act(() => useOnline.setState({ isOnline: true }))
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[1]?.resolve({ url: 'back' })
  await settle()
  expect(screen.current).toMatchObject({ data: { url: 'back' }, error: null })
})
