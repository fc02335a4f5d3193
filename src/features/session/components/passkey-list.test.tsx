import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#test/render.tsx'
import { removePasskey } from '../passkey-api.ts'
import { PasskeyList } from './passkey-list.tsx'

const moment = { year: 2026, month: 11, day: 1, hour: 8, minute: 0, second: 0 }
vi.mock('../passkey-api.ts', () => ({
  listPasskeys: vi.fn(async () => [{ id: 'k', name: 'Laptop', createdAt: moment, lastUsedAt: null, isVouched: false }]),
  removePasskey: vi.fn(async (_id: string, password: string) =>
    password === 'Richtig-1'
      ? { status: 'Ok', message: 'Der Passkey ist gelöscht.' }
      : {
          status: 'WrongPWorUser',
          message: password ? 'Das Passwort stimmt nicht.' : 'Bitte bestätigen Sie, dass Sie es sind.',
        },
  ),
}))

const buttonIn = (root: ParentNode | null, name: string) =>
  [...(root?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name)
const type = (input: HTMLInputElement | null | undefined, text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('a refused removal asks for the password in a dialog, and is retried with it', async () => {
  const container = await render(<PasskeyList />, 'accounts')
  await act(async () => buttonIn(container, 'Löschen')?.click())
  const dialog = () => document.querySelector('[role=dialog]')
  expect(dialog()?.textContent).toContain('Bitte bestätigen Sie, dass Sie es sind.')
  const password = () => dialog()?.querySelector<HTMLInputElement>('input[autocomplete="current-password"]')
  await type(password(), 'Falsch-1')
  await act(async () => buttonIn(dialog(), 'Löschen')?.click())
  expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain('Das Passwort stimmt nicht.')
  await type(password(), 'Richtig-1')
  await act(async () => buttonIn(dialog(), 'Löschen')?.click())
  expect(vi.mocked(removePasskey).mock.calls).toEqual([
    ['k', ''],
    ['k', 'Falsch-1'],
    ['k', 'Richtig-1'],
  ])
  expect(dialog()).toBeNull()
})
