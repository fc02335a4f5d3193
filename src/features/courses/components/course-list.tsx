import { useWindowVirtualizer, windowScroll } from '@tanstack/react-virtual'
import { memo, useLayoutEffect, useRef, useState } from 'react'
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

/** Any number of courses; only those near the window exist. */
export const CourseList = memo(function CourseList({ courses, isLoggedIn }: Props) {
  const { t } = useTranslation('courses')
  const list = useRef<HTMLUListElement>(null)
  const [scrollMargin, setScrollMargin] = useState(0)
  // What stands above the list (chips, notices) comes and goes.
  useLayoutEffect(() => {
    if (list.current) setScrollMargin(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
  })
  const virtualizer = useWindowVirtualizer({
    count: courses.length,
    estimateSize: () => CARD_HEIGHT,
    getItemKey: index => courses[index]?.id ?? index,
    overscan: 3,
    gap: GAP,
    scrollMargin,
    // Whoever arrives starts at the top, wherever the page before stood; later only what is measured above the window moves it.
    initialOffset: 0,
    scrollToFn: (offset, options, instance) => options.adjustments && windowScroll(offset, options, instance),
  })
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={t('list.results')}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const course = courses[index]
        return (
          course && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={courses.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
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
