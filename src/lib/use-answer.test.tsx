import { act } from 'react'
import { expect, test } from 'vitest'
import { render } from '#test/render.tsx'
import { useAnswer } from './use-answer.ts'

/** A screen after its first request. */
async function openScreen() {
  const asked: PromiseWithResolvers<string>[] = []
  const ask = () => {
    const answer = Promise.withResolvers<string>()
    asked.push(answer)
    return answer.promise
  }
  const screen: { current: ReturnType<typeof useAnswer<string>> | null } = { current: null }
  function Screen() {
    screen.current = useAnswer(ask, 'no answer')
    return null
  }
  await render(<Screen />)
  return { asked, screen }
}

test('a response that arrives after that of a later request is dropped', async () => {
  const { asked, screen } = await openScreen()
  await act(async () => {
    screen.current?.load()
    asked[1]?.resolve('later')
  })
  await act(async () => asked[0]?.resolve('earlier'))
  expect(screen.current?.answer).toBe('later')
})

test('a failed request is not reported once a later one has succeeded', async () => {
  const { asked, screen } = await openScreen()
  await act(async () => {
    screen.current?.load()
    asked[1]?.resolve('later')
  })
  await act(async () => asked[0]?.reject(new Error('gone')))
  expect(screen.current).toMatchObject({ answer: 'later', problem: '' })
})

test('a response does not overwrite what the user has changed since the request', async () => {
  const { asked, screen } = await openScreen()
  act(() => screen.current?.setAnswer('changed'))
  await act(async () => asked[0]?.resolve('as it was'))
  expect(screen.current?.answer).toBe('changed')
})
