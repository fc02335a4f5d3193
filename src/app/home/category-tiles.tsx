import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useCoursesBySeason } from '#features/courses/resource.ts'
import { preselectCategory } from '#features/courses/search/search-criteria-store.ts'
import { categoryKey } from '#ui/category-color.ts'
import { CategoryIllustration } from '#ui/category-figure.tsx'
import { Columns, Text } from '#ui/layout.tsx'
import classes from './category-tiles.module.css'

/** Icon keys and ids of the categories shown on the start page. */
const CATEGORIES = [
  { key: 'fitness', id: 3 },
  { key: 'walking', id: 9 },
  { key: 'pilates', id: 13 },
  { key: 'endurance', id: 10 },
  { key: 'relaxing', id: 7 },
  { key: 'wholebody', id: 8 },
  { key: 'aqua', id: 5 },
] as const

export function CategoryTiles() {
  const { t } = useTranslation('content')
  const { current: courses } = useCoursesBySeason()
  const counts = useMemo(() => {
    const byId = new Map<number, number>()
    for (const { courseCategoryId: id } of courses) byId.set(id, (byId.get(id) ?? 0) + 1)
    return byId
  }, [courses])
  return (
    <section>
      <h2>{t('home.categories')}</h2>
      <Columns as="ul" dense>
        {CATEGORIES.map(({ key, id }) => (
          <li key={key}>
            <Link
              href={`/courses?category=${id}`}
              className={classes.tile}
              data-category={categoryKey(key, id)}
              onClick={() => preselectCategory(id)}
            >
              <CategoryIllustration icon={key} id={id} />
              <Text as="b" variant="heading">
                {t(`category.${key}.name`)}
              </Text>
              <Text as="small" only="wide">
                {t(`category.${key}.text`)}
              </Text>
              {counts.has(id) && <small>{t('home.count', { count: counts.get(id) })}</small>}
            </Link>
          </li>
        ))}
        <li>
          <Link href="/courses" className={`${classes.tile} ${classes.all}`}>
            <Text as="b" variant="heading">
              {courses.length > 0 ? t('home.all', { count: courses.length }) : t('home.allUncounted')}
            </Text>
          </Link>
        </li>
      </Columns>
    </section>
  )
}
