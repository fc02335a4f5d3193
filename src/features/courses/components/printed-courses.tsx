import { useTranslation } from 'react-i18next'
import { formatDate, formatTime, priceLines, shortLocation } from '#contract/words.ts'
import { formatWeekdaysShort } from '#features/courses/search/weekday-model.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Box, Table, Text } from '#ui/layout.tsx'
import { type ListedCourse, localizedTextsOf } from '../model.ts'

/** All hits in a plain table for printing, without virtualization. */
export function PrintedCourses({ courses }: { courses: readonly ListedCourse[] }) {
  const { t } = useTranslation('courses')
  const language = useLanguage()
  return (
    <Table>
      <caption>{t('list.hits', { count: courses.length })}</caption>
      <thead>
        <tr>
          {['number', 'course', 'when', 'period', 'where', 'instructor', 'price'].map(column => (
            <th key={column} scope="col">
              {t(`print.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {courses.map(course => {
          const { amount, parts, external, attendance } = priceLines(course, (key, values) => t(`price.${key}`, values))
          return (
            <tr key={course.id}>
              <Box as="td" nowrap>
                {course.number}
              </Box>
              <th scope="row">{localizedTextsOf(course, language).name}</th>
              <td>
                {formatWeekdaysShort(course.weekdays, t)}{' '}
                <Text as="span" nowrap>
                  {formatTime(course.startTime)}–{formatTime(course.endTime)}
                </Text>
              </td>
              <td>
                {formatDate(course.start)} – {formatDate(course.end)}
              </td>
              <td>{shortLocation(course)}</td>
              <td>{course.instructor}</td>
              <td>
                {amount}
                {parts && <small>{parts}</small>}
                {attendance && <small>{attendance}</small>}
                {external && external !== amount && <small>{t('price.external', { price: external })}</small>}
              </td>
            </tr>
          )
        })}
      </tbody>
    </Table>
  )
}
