import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { sortWeekdays } from '#contract/words.ts'
import { styles } from '#ui/styles.ts'
import classes from './home-screen.module.css'

const WEEK = sortWeekdays([0, 1, 2, 3, 4, 5, 6])

/** Links to the courses of each weekday, the most common search criterion. */
export function WeekdayLinks() {
  const { t } = useTranslation('courses')
  return (
    <ul className={`${styles({ base: 'weekdays' })} ${classes.days}`} aria-label={t('list.week')}>
      {WEEK.map(day => (
        <li key={day}>
          <Link className={styles({ plain: true })} href={`/courses?day=${day}`}>
            <span aria-hidden>{t(`day.short.${day}`)}</span>
            <span className="visually-hidden">{t(`day.long.${day}`)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
