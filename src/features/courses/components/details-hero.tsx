import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { categoryColor } from '#components/category-color.ts'
import { CategoryFigure } from '#components/category-figure.tsx'
import { CourtLines } from '#components/court-lines.tsx'
import type { Course } from '#contract/courses.ts'
import { useLanguage } from '#lib/use-language.ts'
import { textsOf } from '../model.ts'
import classes from './details-hero.module.css'
import { ShareButton } from './share-button.tsx'

/** Category, name and number on the category's colour. */
export function DetailsHero({ course }: { course: Course }) {
  const { t } = useTranslation('courses')
  const { name, category, season } = textsOf(course, useLanguage())
  const { categoryIcon, courseCategoryId } = course
  return (
    <header className={classes.hero} style={{ '--category': categoryColor(categoryIcon, courseCategoryId) }}>
      <CourtLines className={classes.lines} />
      <div className={classes.top}>
        <Link href="/courses">
          <span aria-hidden>‹</span> {t('details.back')}
        </Link>
        <ShareButton name={name} />
      </div>
      <p className={classes.kicker}>
        <CategoryFigure icon={categoryIcon} id={courseCategoryId} className={classes.figure} />
        {category} · {season}
      </p>
      <h1>{name}</h1>
      <p className={classes.number}>{t('details.number', { number: course.number })}</p>
    </header>
  )
}
