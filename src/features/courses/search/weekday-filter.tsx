import { useTranslation } from 'react-i18next'
import { sortWeekdays, weekdayIndex } from '#contract/words.ts'
import classes from '#features/courses/components/list-toolbar.module.css'
import { useToday } from '#lib/use-now.ts'
import { useListView, weekdayInWeekOf } from '../list-view-store.ts'
import type { OptionCounts } from './filter-model.ts'
import { useSearchCriteria } from './search-criteria-store.ts'

const WEEK = sortWeekdays([0, 1, 2, 3, 4, 5, 6])

type Props = {
  counts: OptionCounts | null
  /** whether the list shows a single day, which a weekday then selects in the same week */
  isDayView: boolean
}

/** Multi-select of weekdays, each with its number of hits. */
export function WeekdayFilter({ counts, isDayView }: Props) {
  const { t } = useTranslation('courses')
  const chosen = useSearchCriteria(state => state.criteria.facets.days)
  const toggle = useSearchCriteria(state => state.toggle)
  const todayMs = useToday()
  const dayMs = useListView(state => state.dayMs) ?? todayMs
  const found = counts?.of('days')
  return (
    <ul data-roving className={classes.week} aria-label={t('list.week')}>
      {WEEK.map(day => {
        const count = found?.get(String(day)) ?? 0
        const isWeekend = weekdayIndex(day) > 4
        return (
          <li key={day} data-weekend={isWeekend || undefined}>
            <button
              type="button"
              aria-pressed={isDayView ? weekdayInWeekOf(dayMs, day) === dayMs : chosen.includes(String(day))}
              onClick={() =>
                isDayView ? useListView.setState({ dayMs: weekdayInWeekOf(dayMs, day) }) : toggle('days', String(day))
              }
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
