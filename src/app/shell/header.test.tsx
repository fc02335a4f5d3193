import i18next from 'i18next'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { render } from '#test/render.tsx'
import { UnsavedChangesGuard } from '#ui/unsaved-changes-guard.tsx'
import { Header } from './header.tsx'

vi.stubGlobal('fetch', async () => Response.json([]))

const TEXTS = { title: 'Verwerfen?', text: 'Geändertes geht verloren.', confirmLabel: 'Ja', cancelLabel: 'Nein' }

const press = (label: string) =>
  act(async () => {
    const buttons = [...document.querySelectorAll('button')]
    buttons.find(({ textContent }) => textContent?.includes(label))?.click()
  })

test('switching the language with unsaved input requires confirmation, because it leaves the page', async () => {
  window.history.replaceState(null, '', '/edit')
  await render(
    <>
      <Header title="Profil" address="/edit" isSlim />
      <UnsavedChangesGuard {...TEXTS} />
    </>,
  )
  await press('Switch to English')
  await vi.waitFor(() => expect(document.querySelector('[role=dialog]')?.textContent).toContain('Geändertes'))
  await press('Nein')
  expect(i18next.language).toBe('de')
  expect(window.location.pathname).toBe('/edit')

  await press('Switch to English')
  await press('Ja')
  await vi.waitFor(() => expect(window.location.pathname).toBe('/'))
  expect(i18next.language).toBe('en')
})
