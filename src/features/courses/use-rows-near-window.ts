import {
  type RefCallback,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

/** Until the window is measured, and on the server, which has none: what a phone shows, and some more. */
const FIRST_ROWS = { from: 0, to: 7 }
const MORE_ROWS = 3
/** Of a card that was not seen yet, px. */
const USUAL = 104
const GAP = 8

/** Of the rows seen so far, by id; they outlive the list: who comes back finds it where it stood. */
const heights = new Map<number, number>()

type Rows = {
  list: RefObject<HTMLUListElement | null>
  /** of each row that exists; it has to carry `data-index` */
  row: RefCallback<HTMLElement>
  from: number
  /** the first row behind that does not exist */
  to: number
  /** the room of the rows in front, px */
  before: number
  /** the room of all, px */
  height: number
}

/** The row that lies at a height, by where each begins. */
function rowAt(starts: Float64Array, height: number): number {
  let [low, high] = [0, Math.max(0, starts.length - 2)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * Which rows of a long list lie near the window. Their heights are told by the browser when it has laid them out anyway, and
 * never asked for. What turns out otherwise above the window moves the page with it, so that nothing moves under the reader's
 * eyes.
 * @param isWhole all rows exist
 */
export function useRowsNearWindow(items: readonly { id: number }[], isWhole: boolean): Rows {
  const list = useRef<HTMLUListElement>(null)
  const [measured, setMeasured] = useState(0)
  const [range, setRange] = useState(FIRST_ROWS)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights are others
  const starts = useMemo(() => {
    const all = new Float64Array(items.length + 1)
    items.forEach(({ id }, index) => {
      all[index + 1] = (all[index] ?? 0) + (heights.get(id) ?? USUAL) + GAP
    })
    return all
  }, [items, measured])
  const latest = useRef({ items, starts })
  useLayoutEffect(() => {
    latest.current = { items, starts }
  })

  const find = useCallback(() => {
    const top = -(list.current?.getBoundingClientRect().top ?? 0)
    const { items: all, starts: known } = latest.current
    const from = Math.max(0, rowAt(known, top) - MORE_ROWS)
    const to = Math.min(all.length, rowAt(known, top + window.innerHeight) + 1 + MORE_ROWS)
    setRange(shown => (shown.from === from && shown.to === to ? shown : { from, to }))
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows lie near the window
  useEffect(() => {
    // What stands above the list comes and goes with the page's height; the first answer is for what has just been laid out.
    const page = new ResizeObserver(find)
    page.observe(document.body)
    window.addEventListener('scroll', find, { passive: true })
    window.addEventListener('resize', find)
    return () => {
      page.disconnect()
      window.removeEventListener('scroll', find)
      window.removeEventListener('resize', find)
    }
  }, [find, starts])

  const rows = useRef<ResizeObserver>(null)
  const row = useCallback((element: HTMLElement | null) => {
    if (!element) return
    rows.current ??= new ResizeObserver(entries => {
      const { items: all, starts: known } = latest.current
      const top = -(list.current?.getBoundingClientRect().top ?? 0)
      let [moved, isOther] = [0, false]
      for (const { target, borderBoxSize } of entries) {
        const index = Number(target.getAttribute('data-index'))
        const id = all[index]?.id
        const height = borderBoxSize[0]?.blockSize ?? 0
        if (id === undefined || height === 0 || heights.get(id) === height) continue
        if ((known[index] ?? 0) < top) moved += height - (heights.get(id) ?? USUAL)
        heights.set(id, height)
        isOther = true
      }
      if (moved !== 0) window.scrollBy(0, moved)
      if (isOther) setMeasured(count => count + 1)
    })
    const observer = rows.current
    observer.observe(element)
    return () => observer.unobserve(element)
  }, [])

  const to = isWhole ? items.length : Math.min(range.to, items.length)
  const from = isWhole ? 0 : Math.min(range.from, to)
  return { list, row, from, to, before: starts[from] ?? 0, height: (starts.at(-1) ?? GAP) - GAP }
}
