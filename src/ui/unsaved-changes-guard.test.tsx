import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { leaveAfterConfirmation } from '#lib/unload-guard.ts'
import { render } from '#test/render.tsx'
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx'

const TEXTS = { title: 'Verlassen?', text: 'Geändertes geht verloren.', confirmLabel: 'Ja', cancelLabel: 'Nein' }

async function press(label: string): Promise<void> {
  const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)
  await act(async () => found?.click())
}

test('logging out with unsaved input requires confirmation, and can be cancelled', async () => {
  const logOut = vi.fn()
  leaveAfterConfirmation(logOut)
  expect(logOut).toHaveBeenCalledOnce()

  logOut.mockClear()
  await render(<UnsavedChangesGuard {...TEXTS} />)
  await act(async () => leaveAfterConfirmation(logOut))
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Geändertes geht verloren.')
  await press('Nein')
  expect(logOut).not.toHaveBeenCalled()

  await act(async () => leaveAfterConfirmation(logOut))
  await press('Ja')
  expect(logOut).toHaveBeenCalledOnce()
})
