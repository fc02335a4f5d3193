import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#test/render.tsx'
import { PasskeyList } from './passkey-list.tsx'

const moment = { year: 2026, month: 11, day: 1, hour: 8, minute: 0, second: 0 }
const buttonIn = (root: ParentNode | null, name: string) =>
  [...(root?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === name)
const type = (input: HTMLInputElement | null | undefined, text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })

test('a refused removal asks for the password in a dialog and is retried with it', async () => {
  const passwords: string[] = []
  window.location.href = 'http://portal.example/'
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET')
      return Response.json([{ id: 'k', name: 'Laptop', createdAt: moment, lastUsedAt: null, isVouched: false }])
    const { password } = await request.json()
    passwords.push(password)
    if (password === 'Richtig-1') return Response.json({ status: 'Ok', message: 'Der Passkey ist gelöscht.' })
    const message = password ? 'Das Passwort stimmt nicht.' : 'Bitte bestätigen Sie, dass Sie es sind.'
    return Response.json({ status: 'WrongPWorUser', message })
  })
  const container = await render(<PasskeyList />, 'accounts')
  const shown = (check: () => void) => vi.waitFor(() => act(async () => check()))
  await shown(() => expect(buttonIn(container, 'Löschen')).toBeDefined())
  await act(async () => buttonIn(container, 'Löschen')?.click())
  const dialog = () => document.querySelector('[role=dialog]')
  await shown(() => expect(dialog()?.textContent).toContain('Bitte bestätigen Sie, dass Sie es sind.'))
  const password = () => dialog()?.querySelector<HTMLInputElement>('input[autocomplete="current-password"]')
  await type(password(), 'Falsch-1')
  await act(async () => buttonIn(dialog(), 'Löschen')?.click())
  await shown(() =>
    expect(dialog()?.querySelector('[role=alert]')?.textContent).toContain('Das Passwort stimmt nicht.'),
  )
  await type(password(), 'Richtig-1')
  await act(async () => buttonIn(dialog(), 'Löschen')?.click())
  await shown(() => expect(passwords).toEqual(['', 'Falsch-1', 'Richtig-1']))
  await shown(() => expect(dialog()).toBeNull())
})
