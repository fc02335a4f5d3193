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

/** Rows rendered on the server and before anything has been measured: slightly more than fit on a phone's screen. */
const FIRST_ROWS = { from: 0, to: 7 }
const MORE_ROWS = 3
/** Estimated height of a row that has not been measured, in px. */
const USUAL = 104
const GAP = 8

/**
 * Measured row heights by id. Module state, so that the scroll position can be restored when the user returns to the
 * list.
 */
const heights = new Map<number, number>()

type Rows = {
  list: RefObject<HTMLUListElement | null>
  /** ref for each rendered row, which must have `data-index` */
  row: RefCallback<HTMLElement>
  from: number
  /** index after the last rendered row */
  to: number
  /** total height of the rows before the rendered ones, in px */
  before: number
  /** total height of all rows, in px */
  height: number
}

/** Index of the row at a vertical offset, found by binary search in the row starts. */
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
 * Virtual scrolling: renders only the rows near the viewport. Row heights come from a ResizeObserver, without forced
 * layout. If rows above the viewport turn out to differ from their estimates, the scroll position is corrected (scroll
 * anchoring).
 * @param isWhole renders all rows
 */
export function useVirtualRows(items: readonly { id: number }[], isWhole: boolean): Rows {
  const list = useRef<HTMLUListElement>(null)
  const [measured, setMeasured] = useState(0)
  const [range, setRange] = useState(FIRST_ROWS)

  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed when heights have been measured
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed when the rows change
  useEffect(() => {
    // The content above the list may change its height. The observer also fires once for the initial layout.
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
