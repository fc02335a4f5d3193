import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { categoryKey } from '#components/category-color.ts'
import { CategoryFigure } from '#components/category-figure.tsx'
import { CleanHtml } from '#components/clean-html.tsx'
import { piece } from '#components/pieces.ts'
import { IconX } from '#components/shell-icons.ts'
import { Skeleton } from '#components/skeleton.tsx'
import { BookingBlock } from '#features/bookings/components/booking-block.tsx'
import { CourseChanges } from '#features/courses/components/course-changes.tsx'
import { CourseDates } from '#features/courses/components/course-dates.tsx'
import { CourseFacts, MoreFacts } from '#features/courses/components/course-facts.tsx'
import { SiteMap } from '#features/courses/components/lazy-site-map.ts'
import { isOver, textsOf } from '#features/courses/model.ts'
import { useCourseDetails } from '#features/courses/use-course-details.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { usePanelFocus } from '#lib/use-panel-focus.ts'
import classes from './course-panel.module.css'

const NO_TEXTS = { name: '', teaser: '', category: '', season: '' }

/** A course beside the table: the content of its page, which remains one link away. */
export function CoursePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation(['course-list', 'courses'])
  const language = useLanguage()
  const { course, isChecking, isWhole } = useCourseDetails(id)
  const panel = usePanelFocus(`[role="row"] h3 a[href$="/course-details/${id}"]`)
  const todayMs = useToday()
  const { name, teaser, category, season } = course ? textsOf(course, language) : NO_TEXTS
  return (
    <aside ref={panel} className={classes.panel} tabIndex={-1} aria-label={name}>
      <div className={piece('spread')}>
        <Link href={`/course-details/${id}`} className={piece('action')}>
          {t('panel.whole')} <span aria-hidden>›</span>
        </Link>
        <button type="button" className={piece('round')} aria-label={t('panel.close')} onClick={onClose}>
          <IconX />
        </button>
      </div>
      {course ? (
        <header className={classes.head} data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}>
          <CategoryFigure icon={course.categoryIcon} id={course.courseCategoryId} />
          <p className={piece('flush')}>
            {category} · {season} · {t('courses:details.number', { number: course.number })}
          </p>
          <h2 className={piece('title', 'flush')}>{name}</h2>
        </header>
      ) : (
        <Skeleton />
      )}
      {course && (
        <div className={piece('stack', 'loose')}>
          <CourseChanges course={course} />
          <CourseFacts course={course} hasPlaces={course.currentBooked !== null} />
          <BookingBlock key={id} course={course} isOver={isOver(course, todayMs)} isChecking={isChecking} />
          {teaser && <CleanHtml html={teaser} />}
          <MoreFacts course={course} />
          <SiteMap course={course} />
          {isWhole && course.dates.length > 0 && <CourseDates course={course} />}
        </div>
      )}
    </aside>
  )
}
