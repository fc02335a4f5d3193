import { useWindowVirtualizer, windowScroll } from '@tanstack/react-virtual'
import { memo, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedCourse } from '../model.ts'
import { CourseCard } from './course-card.tsx'
import classes from './course-list.module.css'

const CARD_HEIGHT = 268
const GAP = 12

type Props = {
  courses: readonly ListedCourse[]
  isLoggedIn: boolean
  /** out of sight behind the filters: stays as it is until they close */
  isPaused: boolean
}

/** How far below the page's top an element lies. What stands above it (chips, notices) comes and goes with the page's height. */
function useTopInPage(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useEffect(() => {
    const page = new ResizeObserver(() => {
      if (element.current) setTop(Math.round(element.current.getBoundingClientRect().top + window.scrollY))
    })
    page.observe(document.body)
    return () => page.disconnect()
  }, [element])
  return top
}

/** Any number of courses; only those near the window exist. */
export const CourseList = memo(function CourseList({ courses, isLoggedIn }: Props) {
  const { t } = useTranslation('courses')
  const list = useRef<HTMLUListElement>(null)
  const scrollMargin = useTopInPage(list)
  const virtualizer = useWindowVirtualizer({
    count: courses.length,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: index => courses[index]?.id ?? index,
    overscan: 3,
    gap: GAP,
    scrollMargin,
    // The cards lie in the page's flow; how high they are is asked when the browser has laid them out anyway.
    measureElement: (card, entry, { options, indexFromElement, measurementsCache }) =>
      entry?.borderBoxSize[0]?.blockSize ??
      measurementsCache[indexFromElement(card)]?.size ??
      options.estimateSize(indexFromElement(card)),
    // Whoever arrives starts at the top, wherever the page before stood; later only what is measured above the window moves it.
    initialOffset: 0,
    // Until the window is measured, and on the server, which has none: a phone's.
    initialRect: { width: 390, height: 844 },
    scrollToFn: (offset, options, instance) => options.adjustments && windowScroll(offset, options, instance),
  })
  const shown = virtualizer.getVirtualItems()
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={t('list.results')}
      style={{ minHeight: virtualizer.getTotalSize(), paddingTop: (shown[0]?.start ?? scrollMargin) - scrollMargin }}
    >
      {shown.map(({ key, index }) => {
        const course = courses[index]
        return (
          course && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={courses.length}
              aria-posinset={index + 1}
            >
              <CourseCard course={course} mode="list" isLoggedIn={isLoggedIn} />
            </li>
          )
        )
      })}
    </ul>
  )
}, isUnchanged)

function isUnchanged(before: Props, after: Props): boolean {
  return after.isPaused || (before.courses === after.courses && before.isLoggedIn === after.isLoggedIn)
}
