import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { CourseDate } from '#contract/endpoints/attendance.ts'
import type { DateTimeValue } from '#contract/values.ts'
import { formatDayMonth, formatTime } from '#contract/words.ts'
import { formatRelativeDay, toLocalTimeMs, weekdayOf } from '#lib/format.ts'
import { useLanguage } from '#lib/use-language.ts'
import { IconAlertCircle, IconCloudCheck, IconDeviceMobile } from '#ui/icons.ts'
import { Box, IconButton, Text } from '#ui/layout.tsx'
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import type { StoredAttendanceList } from '../outbox/list-rows.ts'
import { usePresentCount } from '../use-present-count.ts'
import classes from './gym.module.css'

type Props = {
  /** course name, followed by the list's age where it matters */
  title: string
  choice?: ReactNode
  children?: ReactNode
}

type Chosen = {
  /** `open`: number of the date's unsent or rejected changes, shown while another date is selected */
  dates: (CourseDate & { open: number })[]
  dateId: number
  onChoose: (courseDateId: number) => void
}

type DateChoiceProps = Chosen & {
  /** start times of cancelled lessons, which are shown but have no attendance */
  cancelled: DateTimeValue[]
  /** midnight of the current day in the portal's time zone */
  today: number
}

/** Shows the selected date and lets the user choose another one. */
export function DateChoice({ dates, cancelled, dateId, onChoose, today }: DateChoiceProps) {
  const { t } = useTranslation('attendance')
  const language = useLanguage()
  const options = [...dates, ...cancelled.map(date => ({ id: null, date, open: 0 }))]
  return (
    <Box
      as="select"
      bare
      truncate
      aria-label={t('date.label')}
      value={dateId}
      onChange={event => onChoose(Number(event.currentTarget.value))}
    >
      {options
        .sort((a, b) => toLocalTimeMs(a.date) - toLocalTimeMs(b.date))
        .map(({ id, date, open }) => (
          <option key={toLocalTimeMs(date)} value={id ?? ''} disabled={id === null}>
            {/* The date comes first, because a narrow bar truncates the end. */}
            {formatRelativeDay(date, today, language)}, {formatTime(date)} · {t(`weekday.${weekdayOf(date)}`)}{' '}
            {formatDayMonth(date)}
            {open > 0 && id !== dateId && ` · ${t('date.open', { count: open })}`}
            {id === null && ` · ${t('date.cancelled')}`}
          </option>
        ))}
    </Box>
  )
}

/** Buttons for the previous and the next date, and a search by name. */
export function AttendanceListTools({
  dates,
  dateId,
  onChoose,
  search,
  onSearch,
}: Chosen & { search: string; onSearch: (text: string) => void }) {
  const { t } = useTranslation('attendance')
  const index = dates.findIndex(({ id }) => id === dateId)
  const step = (by: number, label: string, icon: ReactNode) => {
    const to = dates[index + by]
    return (
      <IconButton type="button" aria-label={label} disabled={!to} onClick={() => to && onChoose(to.id)}>
        {icon}
      </IconButton>
    )
  }
  return (
    <div className={classes.tools}>
      {step(-1, t('date.previous'), <IconChevronLeft />)}
      {step(1, t('date.next'), <IconChevronRight />)}
      <input
        className={styles({ base: 'input', grow: true })}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        placeholder={t('search')}
        aria-label={t('search')}
        value={search}
        onChange={event => onSearch(event.currentTarget.value)}
      />
    </div>
  )
}

/** Number of participants present, and sync status. A separate component, so that it updates before the list does. */
export function AttendanceCount({
  list,
  dateId,
  userId,
}: {
  list: StoredAttendanceList
  dateId: number
  userId: number
}) {
  const { t } = useTranslation('attendance')
  const { present, all, unsent, refused } = usePresentCount(list, dateId, userId)
  const Place = refused > 0 ? IconAlertCircle : unsent > 0 ? IconDeviceMobile : IconCloudCheck
  return (
    <>
      <Text as="h2" tabular>
        {t('count', { present, all })} <span className="visually-hidden">{t('row.present')}</span>
      </Text>
      <span className={styles({ base: 'badgeAnchor' })} aria-hidden>
        <Place size={24} />
        {refused || unsent || ''}
      </span>
    </>
  )
}

/** Header bar of an attendance list. The sync status is also shown in words at the end of the list. */
export function AttendanceBar({ title, choice, children }: Props) {
  const { t } = useTranslation('attendance')
  return (
    <div className={classes.bar}>
      <Link href="/courses/instructor" className={styles({ base: 'iconButton' })} aria-label={t('back')}>
        <IconArrowLeft />
      </Link>
      <div>
        <Text as="h1" truncate>
          {title}
        </Text>
        {choice}
      </div>
      {children}
    </div>
  )
}
