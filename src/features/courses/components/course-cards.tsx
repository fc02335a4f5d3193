import type { ListedCourse } from '../model.ts'
import cards from './course-card.module.css'
import { CourseCard } from './course-card.tsx'
import classes from './course-list.module.css'

type Props = {
  courses: readonly ListedCourse[]
  isLoggedIn: boolean
  className?: string | undefined
}

/** A short list of course cards. */
export const CourseCards = ({ courses, isLoggedIn, className = classes.list }: Props) => (
  <ul className={`${className} ${cards.asked}`}>
    {courses.map(course => (
      <li key={course.id}>
        <CourseCard course={course} mode="list" isLoggedIn={isLoggedIn} />
      </li>
    ))}
  </ul>
)
