import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fill, render } from '#test/render.tsx'
import { CourseSearch } from './course-search.tsx'
import { useDeferredCriteria } from './search-criteria-store.ts'

afterEach(() => vi.restoreAllMocks())

const List = () => <output>{useDeferredCriteria().text}</output>

test('a typed letter is painted before the list is updated', async () => {
  const frames: FrameRequestCallback[] = []
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation(frame => frames.push(frame))
  const page = await render(
    <>
      <CourseSearch />
      <List />
    </>,
    'courses',
  )
  const listed = () => page.querySelector('output')?.textContent
  await fill(page, 'q', 'y')
  await fill(page, 'q', 'yo')
  expect(page.querySelector('input')?.value).toBe('yo')
  expect(listed()).toBe('')
  await act(async () => {
    for (const frame of frames) frame(0)
    expect(listed()).toBe('')
  })
  await vi.waitFor(() => expect(listed()).toBe('yo'))
})
