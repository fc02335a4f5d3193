import { act, Suspense, use, useState } from 'react'
import { expect, test } from 'vitest'
import { render } from '#test/render.tsx'
import { NavigationFocus } from './arrival-focus.tsx'

/** A page whose second part loads after the first one is shown. The focus is lost while the screen is hidden. */
async function showTwice(isFirstPage: boolean) {
  const { promise, resolve } = Promise.withResolvers<string>()
  const isFirst = { current: isFirstPage }
  const Part = () => <p>{use(promise)}</p>
  let showPart = () => {}
  function Screen() {
    const [hasPart, setHasPart] = useState(false)
    showPart = () => setHasPart(true)
    return (
      <>
        <h1>Kurse</h1>
        {hasPart && <Part />}
      </>
    )
  }
  const container = await render(
    <main>
      <button type="button">Menü</button>
      <Suspense fallback={<p>lädt</p>}>
        <Screen />
        <NavigationFocus isFirst={isFirst} />
      </Suspense>
    </main>,
  )
  const heading = container.querySelector('h1')
  const focusedFirst = document.activeElement
  await act(async () => showPart())
  expect(container.textContent).toContain('lädt')
  // Browsers blur a hidden element, but the simulated page does not.
  heading?.blur()
  return {
    heading,
    focusedFirst,
    menu: container.querySelector('button'),
    finish: () =>
      act(async () => {
        resolve('Liste')
        await promise
      }),
  }
}

test('a screen that was hidden while a part of it was loading regains the focus', async () => {
  const { heading, focusedFirst, finish } = await showTwice(false)
  expect(focusedFirst).toBe(heading)
  await finish()
  expect(document.activeElement).toBe(heading)
})

test('the focus stays where the user has moved it in the meantime', async () => {
  const { menu, finish } = await showTwice(false)
  menu?.focus()
  await finish()
  expect(document.activeElement).toBe(menu)
})

test('on the first page, the focus stays where the browser has placed it', async () => {
  const { focusedFirst, finish } = await showTwice(true)
  expect(focusedFirst).toBe(document.body)
  await finish()
  expect(document.activeElement).toBe(document.body)
})
