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

async function showForm(): Promise<void> {
  window.history.replaceState(null, '', '/edit')
  await render(
    <>
      <Header title="Profil" address="/edit" isSlim />
      <UnsavedChangesGuard {...TEXTS} />
    </>,
  )
}

test('the back button asks before it discards unsaved input also in browsers without the Navigation API', async () => {
  expect('navigation' in window).toBe(false)
  await showForm()
  const back = document.querySelector<HTMLElement>('[aria-label="Zurück"]')
  await act(async () => back?.click())
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Geändertes')
  expect(window.location.pathname).toBe('/edit')
  await press('Ja')
  await vi.waitFor(() => expect(window.location.pathname).toBe('/home'))
})

test('switching the language with unsaved input requires confirmation, because it leaves the page', async () => {
  await showForm()
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
