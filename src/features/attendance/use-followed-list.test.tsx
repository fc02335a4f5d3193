import { expect, test, vi } from 'vitest'
import { NoResponseError } from '#lib/api-error.ts'
import { render } from '#test/render.tsx'
import { lists } from './store.ts'
import { useFollowedList } from './use-followed-list.ts'

test('a list that could not be loaded is reported as current as soon as it is refreshed', async () => {
  vi.useFakeTimers()
  const refresh = vi.spyOn(lists, 'refresh').mockRejectedValueOnce(new NoResponseError()).mockResolvedValue()
  const onCurrent = vi.fn()
  function Followed() {
    useFollowedList(1, true, onCurrent)
    return null
  }
  await render(<Followed />)
  await vi.advanceTimersByTimeAsync(8_000)
  expect(refresh).toHaveBeenCalledTimes(1)
  expect(onCurrent).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onCurrent).toHaveBeenCalled()
  vi.useRealTimers()
})
