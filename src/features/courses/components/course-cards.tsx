import type { ListedCourse } from '../model.ts'
import cards from './course-card.module.css'
import { CourseCard } from './course-card.tsx'
import classes from './course-list.module.css'

type Props = {
  courses: readonly ListedCourse[]
  isLoggedIn: boolean
  /** in the table view: opens a course in a panel next to the table */
  onOpen?: ((id: number) => void) | undefined
  className?: string | undefined
}

/** A short list of courses, shown as cards or as additional table rows. */
export const CourseCards = ({ courses, isLoggedIn, onOpen, className = classes.list }: Props) => (
  <ul className={`${className} ${onOpen ? '' : cards.asked}`} role={onOpen && 'none'}>
    {courses.map(course => (
      <li key={course.id} role={onOpen && 'none'}>
        <CourseCard course={course} mode="list" isLoggedIn={isLoggedIn} onOpen={onOpen} />
      </li>
    ))}
  </ul>
)
