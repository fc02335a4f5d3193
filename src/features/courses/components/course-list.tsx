import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedCourse } from '../model.ts'
import { useRowsNearWindow } from '../use-rows-near-window.ts'
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
  const { list, row, from, to, before, height } = useRowsNearWindow(courses, CARD_HEIGHT, GAP)
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={t('list.results')}
      style={{ minHeight: height, paddingTop: before }}
    >
      {courses.slice(from, to).map((course, index) => (
        <li
          key={course.id}
          ref={row}
          data-index={from + index}
          aria-setsize={courses.length}
          aria-posinset={from + index + 1}
        >
          <CourseCard course={course} mode="list" isLoggedIn={isLoggedIn} />
        </li>
      ))}
    </ul>
  )
}, isUnchanged)

function isUnchanged(before: Props, after: Props): boolean {
  return after.isPaused || (before.courses === after.courses && before.isLoggedIn === after.isLoggedIn)
}
