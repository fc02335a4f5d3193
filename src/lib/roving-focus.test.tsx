import { afterEach, expect, test } from 'vitest'
import { followRovingFocus } from './roving-focus.ts'

const stop = followRovingFocus()
afterEach(stop)

const buttons = () => [...document.querySelectorAll('button')]
const stops = () => buttons().map(({ tabIndex }) => tabIndex)
const press = (key: string) =>
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))

test('a group that appears after the start is one tab stop, and the arrow keys move within it', () => {
  document.body.innerHTML =
    '<ul data-roving><li><button>Mo</button></li><li><button>Di</button></li></ul><p tabindex="-1">'
  buttons()[0]?.focus()
  expect(stops()).toEqual([0, -1])
  document.querySelector('ul')?.insertAdjacentHTML('beforeend', '<li><button>Mi</button></li>')
  press('ArrowRight')
  expect(document.activeElement?.textContent).toBe('Di')
  expect(stops()).toEqual([-1, 0, -1])
  press('End')
  expect(stops()).toEqual([-1, -1, 0])
  press('ArrowRight')
  expect(document.activeElement?.textContent).toBe('Mo')
})
