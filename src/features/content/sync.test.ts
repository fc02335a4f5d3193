// @vitest-environment happy-dom
import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { useOfflineDocuments } from './offline-store.ts'
import { useContent } from './resource.ts'
import { startFlyerCache } from './sync.ts'

test('flyers are cached again after each response, because some may be missing', () => {
  const keepFlyers = vi.fn()
  useOfflineDocuments.setState({ keepFlyers })
  useContent.setState({ asOf: 1 })
  startFlyerCache()
  expect(keepFlyers).toHaveBeenCalledTimes(1)
  // A response without changes keeps the data.
  useContent.setState({ asOf: 2 })
  expect(keepFlyers).toHaveBeenCalledTimes(2)
})
