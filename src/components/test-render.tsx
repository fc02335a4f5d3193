import i18next from 'i18next'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { startTexts } from '../i18n/i18n.ts'

declare global {
  /** React's own switch for tests. */
  var IS_REACT_ACT_ENVIRONMENT: boolean
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true

/** Renders with the German texts of these namespaces, in the place of what was rendered before. */
export async function render(element: ReactNode, ...namespaces: string[]): Promise<HTMLElement> {
  if (!i18next.isInitialized) await startTexts()
  await i18next.loadNamespaces(namespaces)
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  await act(async () => createRoot(place).render(element))
  return place
}

type Control = HTMLInputElement | HTMLSelectElement

export function control(place: HTMLElement, name: string): Control {
  const found = place.querySelector<Control>(`[name="${name}"]`)
  if (!found) throw new Error(`there is no field ${name}`)
  return found
}

/** What stands below a field as its error; empty when there is none. */
export const errorBelow = (place: HTMLElement, name: string): string =>
  document.getElementById(`${control(place, name).id}-error`)?.textContent ?? ''

/** Types or chooses a value as a reader would, without leaving the field. */
export async function fill(place: HTMLElement, name: string, value: string): Promise<void> {
  const field = control(place, name)
  const prototype = field instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  })
}

export const leave = (place: HTMLElement, name: string): Promise<void> =>
  act(async () => {
    control(place, name).dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  })

export const send = (place: HTMLElement): Promise<void> =>
  act(async () => {
    place.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })

export const isSubmitDisabled = (place: HTMLElement): boolean =>
  place.querySelector('[type="submit"]')?.getAttribute('aria-disabled') === 'true'
