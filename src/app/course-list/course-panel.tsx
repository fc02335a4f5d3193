import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { BookingSection } from '#features/bookings/components/booking-block.tsx'
import { CourseChanges } from '#features/courses/components/course-changes.tsx'
import { CourseDates } from '#features/courses/components/course-dates.tsx'
import { CourseFacts, SecondaryFacts } from '#features/courses/components/course-facts.tsx'
import { VenueDirections } from '#features/courses/components/lazy-venue-directions.ts'
import { isCourseOver, localizedTextsOf } from '#features/courses/model.ts'
import { useCourseDetails } from '#features/courses/use-course-details.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { categoryKey } from '#ui/category-color.ts'
import { CategoryIllustration } from '#ui/category-figure.tsx'
import { CleanHtml } from '#ui/clean-html.tsx'
import { IconButton, Row, Stack, Text } from '#ui/layout.tsx'
import { lazyComponent } from '#ui/lazy-screen.tsx'
import { IconX } from '#ui/shell-icons.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { styles } from '#ui/styles.ts'
import classes from './course-panel.module.css'

const { screen: PanelFocus } = lazyComponent(() => import('#ui/panel-focus.tsx').then(m => m.PanelFocus))

const NO_TEXTS = { name: '', teaser: '', category: '', season: '' }

/** Panel beside the course table. It has the content of the course's page and a link to that page. */
export function CoursePanel({ id, onClose }: { id: number; onClose: () => void }) {
  const { t } = useTranslation(['course-list', 'courses'])
  const language = useLanguage()
  const { course, isChecking, isWhole } = useCourseDetails(id)
  const panel = useRef<HTMLElement>(null)
  const todayMs = useToday()
  const { name, teaser, category, season } = course ? localizedTextsOf(course, language) : NO_TEXTS
  return (
    <aside ref={panel} className={classes.panel} tabIndex={-1} aria-label={name}>
      <PanelFocus panel={panel} entry={`[role="row"] h3 a[href$="/course-details/${id}"]`} />
      <Row justify="between">
        <Link href={`/course-details/${id}`} className={styles({ base: 'actionLink' })}>
          {t('panel.whole')} <span aria-hidden>›</span>
        </Link>
        <IconButton type="button" aria-label={t('panel.close')} onClick={onClose}>
          <IconX />
        </IconButton>
      </Row>
      {course ? (
        <header className={classes.head} data-category={categoryKey(course.categoryIcon, course.courseCategoryId)}>
          <CategoryIllustration icon={course.categoryIcon} id={course.courseCategoryId} />
          <Text flush>
            {category} · {season} · {t('courses:details.number', { number: course.number })}
          </Text>
          <Text as="h2" variant="title" flush>
            {name}
          </Text>
        </header>
      ) : (
        <Skeleton />
      )}
      {course && (
        <Stack gap="l">
          <CourseChanges course={course} />
          <CourseFacts course={course} hasPlaces={course.currentBooked !== null} />
          <BookingSection key={id} course={course} isOver={isCourseOver(course, todayMs)} isChecking={isChecking} />
          {teaser && <CleanHtml html={teaser} />}
          <SecondaryFacts course={course} />
          {isWhole && course.dates.length > 0 && <CourseDates course={course} />}
          {/* Last, because the plan of the site loads late. */}
          <VenueDirections course={course} />
        </Stack>
      )}
    </aside>
  )
}
