/**
 * Makes each group of buttons (`data-roving`) one tab stop, also groups and buttons that appear later: the arrow keys,
 * Home and End move within a group, and Tab leaves it.
 * @returns function that stops following the keys
 */
export function followRovingFocus(): () => void {
  const itemsAround = (target: EventTarget | null) =>
    target instanceof Element ? [...(target.closest('[data-roving]')?.querySelectorAll('button') ?? [])] : []
  const follow = ({ target }: FocusEvent) => {
    const items = itemsAround(target)
    if (items.some(item => item === target)) for (const item of items) item.tabIndex = item === target ? 0 : -1
  }
  const move = (event: KeyboardEvent) => {
    const items = itemsAround(event.target)
    const at = items.findIndex(item => item === event.target)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    items.at(to % items.length)?.focus()
  }
  document.addEventListener('focusin', follow)
  document.addEventListener('keydown', move)
  return () => {
    document.removeEventListener('focusin', follow)
    document.removeEventListener('keydown', move)
  }
}
