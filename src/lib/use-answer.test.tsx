import { act } from 'react'
import { expect, test } from 'vitest'
import { render } from '#test/render.tsx'
import { useAnswer } from './use-answer.ts'

/** A screen that has just asked for the first time. */
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

test('an answer that comes after that of a later question is dropped', async () => {
  const { asked, screen } = await openScreen()
  await act(async () => {
    screen.current?.load()
    asked[1]?.resolve('later')
  })
  await act(async () => asked[0]?.resolve('earlier'))
  expect(screen.current?.answer).toBe('later')
})

test('a question that failed says nothing once a later one has an answer', async () => {
  const { asked, screen } = await openScreen()
  await act(async () => {
    screen.current?.load()
    asked[1]?.resolve('later')
  })
  await act(async () => asked[0]?.reject(new Error('gone')))
  expect(screen.current).toMatchObject({ answer: 'later', problem: '' })
})

test('an answer says nothing against what the person has changed since', async () => {
  const { asked, screen } = await openScreen()
  act(() => screen.current?.setAnswer('changed'))
  await act(async () => asked[0]?.resolve('as it was'))
  expect(screen.current?.answer).toBe('changed')
})
