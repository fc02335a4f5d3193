/**
 * Makes each group of buttons (`data-roving`) one tab stop, also groups and buttons that appear later: the arrow keys,
 * Home and End move within a group, and Tab leaves it.
 * @returns function that stops following the keys
 */
export function followRovingFocus(): () => void {
  const itemsIn = (group: Element | null) => [...(group?.querySelectorAll('button') ?? [])]
  const itemsAround = (target: EventTarget | null) =>
    target instanceof Element ? itemsIn(target.closest('[data-roving]')) : []
  const choose = (items: HTMLButtonElement[], chosen: EventTarget | null | undefined) => {
    if (items.some(item => item === chosen)) for (const item of items) item.tabIndex = item === chosen ? 0 : -1
  }
  const follow = ({ target }: FocusEvent) => choose(itemsAround(target), target)
  const move = (event: KeyboardEvent) => {
    const items = itemsAround(event.target)
    const at = items.findIndex(item => item === event.target)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    items.at(to % items.length)?.focus()
  }
  for (const group of document.querySelectorAll('[data-roving]')) {
    const items = itemsIn(group)
    choose(items, items.find(item => item === document.activeElement) ?? items[0])
  }
  document.addEventListener('focusin', follow)
  document.addEventListener('keydown', move)
  return () => {
    document.removeEventListener('focusin', follow)
    document.removeEventListener('keydown', move)
  }
}
