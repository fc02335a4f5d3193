/** Puts the focus where a screen reader starts to read the screen: on its heading, or on the screen while it has none. */
export function focusHeading(): void {
  const place = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
  if (!place) return
  place.tabIndex = -1
  place.focus({ preventScroll: true })
}
