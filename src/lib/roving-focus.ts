/**
 * Makes a group of buttons one tab stop: the arrow keys, Home and End move within it.
 * @returns function that stops following the keys
 */
export function rovingFocus(group: HTMLElement): () => void {
  const itemsOf = () => [...group.querySelectorAll<HTMLElement>('button')]
  const choose = (chosen?: Element | null) => {
    const items = itemsOf()
    const current = items.find(item => item === chosen) ?? items.find(item => item.tabIndex === 0) ?? items[0]
    for (const item of items) item.tabIndex = item === current ? 0 : -1
  }
  const follow = ({ target }: FocusEvent) => choose(target as Element)
  const move = (event: KeyboardEvent) => {
    const items = itemsOf()
    const at = items.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: items.length - 1 }[event.key]
    if (at < 0 || to === undefined) return
    event.preventDefault()
    items.at(to % items.length)?.focus()
  }
  group.addEventListener('focusin', follow)
  group.addEventListener('keydown', move)
  // Buttons that appear later would be tab stops of their own.
  const observer = new MutationObserver(() => choose())
  observer.observe(group, { childList: true, subtree: true })
  choose()
  return () => {
    observer.disconnect()
    group.removeEventListener('focusin', follow)
    group.removeEventListener('keydown', move)
  }
}
