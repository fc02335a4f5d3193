import { expect, test, vi } from 'vitest'
import { removeTestFolder } from './folder.ts'

test('a folder that cannot be removed is one line of output, not an error', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  // Below a file: like a remaining mount, it cannot be removed by any user.
  const path = `${import.meta.filename}/folder`
  await removeTestFolder(path)
  expect(log.mock.calls).toEqual([[expect.stringMatching(/^Cannot remove .*folder: \w+: [^\n]*$/)]])
  log.mockRestore()
})
