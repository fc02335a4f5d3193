import { useTranslation } from 'react-i18next'
import { sortWeekdays, weekdayIndex } from '#contract/words.ts'
import classes from '#features/courses/components/list-toolbar.module.css'
import type { OptionCounts } from './filter-model.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

const WEEK = sortWeekdays([0, 1, 2, 3, 4, 5, 6])

/** Multi-select of weekdays, each with its number of hits. */
export function WeekdayFilter({ counts }: { counts: OptionCounts | null }) {
  const { t } = useTranslation('courses')
  const chosen = useSearchCriteria(state => state.criteria.facets.days)
  const toggle = useSearchCriteria(state => state.toggle)
  const found = counts?.of('days')
  return (
    <ul className={classes.week} aria-label={t('list.week')}>
      {WEEK.map(day => {
        const count = found?.get(String(day)) ?? 0
        const isWeekend = weekdayIndex(day) > 4
        return (
          <li key={day} data-weekend={isWeekend || undefined}>
            <button
              type="button"
              aria-pressed={chosen.includes(String(day))}
              onClick={() => toggle('days', String(day))}
            >
              <b>{t(`day.short.${day}`)}</b>
              <span>{found ? count : '\u00a0'}</span>
              <span className="visually-hidden">{t('list.hits', { count }).replace(/^\d+/, '')}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
