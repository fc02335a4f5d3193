import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listOfficeCourses } from '#contract/office/office.ts'
import { textInLanguage } from '#contract/words.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { matchesSearch } from '#office/frame/model.ts'
import { Box, CheckLabel, Stack, Text } from '#ui/layout.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { formatDay, isCourseCurrentOrFuture, toDateString } from '../people-model.ts'

type Course = ResponseOf<typeof listOfficeCourses>['items'][number]
type Props = {
  label: string
  /** 0 if none is selected yet */
  value: number
  onChange: (courseId: number) => void
  /** courses to exclude from the results, such as the one that the person is moved out of */
  except?: readonly number[]
}

const SHOWN = 8

/** Searches for a course by number, name, weekday or venue, best matches first. */
export function CoursePicker({ label, value, onChange, except = [] }: Props) {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  const today = toDateString(useToday())
  const [search, setSearch] = useState('')
  const reading = useCompleteList('listOfficeCourses')
  const courses = useMemo(
    () => (reading.data ?? []).filter(course => isCourseCurrentOrFuture(course, today) && !except.includes(course.id)),
    [reading.data, today, except],
  )
  const nameOf = ({ name, name2 }: Course) => textInLanguage(language, name, name2)
  const fitting = courses.filter(course =>
    matchesSearch(search.trim(), [course.number, course.name, course.name2, course.venue, formatDay(course.start)]),
  )
  const chosen = courses.find(({ id }) => id === value)
  const shown = [...(chosen ? [chosen] : []), ...fitting.filter(({ id }) => id !== value)].slice(0, SHOWN)
  return (
    <Stack as="fieldset" bare>
      <legend>{label}</legend>
      <SearchBox value={search} label={t('course.search')} onChange={setSearch} />
      <Box as="ul" bare>
        {shown.map(course => (
          <li key={course.id}>
            <CheckLabel>
              <input type="radio" name="course" checked={course.id === value} onChange={() => onChange(course.id)} />
              <span>
                <b>{nameOf(course)}</b> {course.number}
                <br />
                {t('course.facts', {
                  start: formatDay(course.start),
                  time: course.startTime,
                  free: Math.max(0, course.places - course.booked),
                  waiting: course.waiting,
                })}
              </span>
            </CheckLabel>
          </li>
        ))}
      </Box>
      <Text role="status" tone="muted" flush>
        {reading.data === null || reading.isLoading
          ? t('course.loading')
          : t('course.count', { count: fitting.length, shown: Math.min(SHOWN, fitting.length) })}
      </Text>
    </Stack>
  )
}
