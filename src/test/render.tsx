import { MantineProvider } from '@mantine/core'
import i18next from 'i18next'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach } from 'vitest'
import { loadDialogPanel } from '#ui/dialog.tsx'
import { initializeTexts } from '../i18n/i18n.ts'

declare global {
  /** React's own switch for tests. */
  var IS_REACT_ACT_ENVIRONMENT: boolean
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true

const roots: Root[] = []
afterEach(() =>
  act(async () => {
    for (const root of roots.splice(0)) root.unmount()
  }),
)

/**
 * Renders on the library's ground, with the German texts of these namespaces, in the place of what was rendered before.
 * See docs/decisions/0077.
 */
export async function render(element: ReactNode, ...namespaces: string[]): Promise<HTMLElement> {
  if (!i18next.isInitialized) await initializeTexts()
  await i18next.loadNamespaces(namespaces)
  const container = document.createElement('div')
  document.body.replaceChildren(container)
  await loadDialogPanel()
  const root = createRoot(container)
  roots.push(root)
  await act(async () => root.render(<MantineProvider env="test">{element}</MantineProvider>))
  return container
}

type Control = HTMLInputElement | HTMLSelectElement

export function control(container: HTMLElement, name: string): Control {
  const found = container.querySelector<Control>(`[name="${name}"]`)
  if (!found) throw new Error(`there is no field ${name}`)
  return found
}

/** What stands below a field as its error; empty when there is none. */
export const errorBelow = (container: HTMLElement, name: string): string =>
  document.getElementById(`${control(container, name).id}-error`)?.textContent ?? ''

/** Types or chooses a value as a reader would, without leaving the field. */
export async function fill(container: HTMLElement, name: string, value: string): Promise<void> {
  const field = control(container, name)
  const prototype = field instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  })
}

export const leave = (container: HTMLElement, name: string): Promise<void> =>
  act(async () => {
    control(container, name).dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  })

export const send = (container: HTMLElement): Promise<void> =>
  act(async () => {
    container.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })

export const isSubmitDisabled = (container: HTMLElement): boolean =>
  container.querySelector('[type="submit"]')?.getAttribute('aria-disabled') === 'true'
