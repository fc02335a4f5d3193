import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { leaveOnceAgreed } from '#lib/leaving.ts'
import { render } from '#test/render.tsx'
import { LeaveQuestion } from './leave-question.tsx'

const TEXTS = { title: 'Verlassen?', text: 'Geändertes geht verloren.', confirmLabel: 'Ja', cancelLabel: 'Nein' }

async function press(label: string): Promise<void> {
  const found = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === label)
  await act(async () => found?.click())
}

test('logging out with unsaved input requires confirmation, and can be cancelled', async () => {
  const logOut = vi.fn()
  leaveOnceAgreed(logOut)
  expect(logOut).toHaveBeenCalledOnce()

  logOut.mockClear()
  await render(<LeaveQuestion {...TEXTS} />)
  await act(async () => leaveOnceAgreed(logOut))
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Geändertes geht verloren.')
  await press('Nein')
  expect(logOut).not.toHaveBeenCalled()

  await act(async () => leaveOnceAgreed(logOut))
  await press('Ja')
  expect(logOut).toHaveBeenCalledOnce()
})
