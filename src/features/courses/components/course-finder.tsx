import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { preselectQuery } from '#features/courses/search/search-criteria-store.ts'
import { Box } from '#ui/layout.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { findCourseByNumber } from '../model.ts'
import { useCourseIndex } from '../resource.ts'

/** Search box outside the course list. Opens the list with the entered query, or the course with the entered number. */
export function CourseFinder({ label }: { label?: string }) {
  const { t } = useTranslation('courses')
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  return (
    <Box width="slim" mt="l">
      <SearchBox
        action="/courses"
        value={text}
        label={label ?? t('list.searchLabel')}
        submitLabel={t('list.search')}
        onChange={setText}
        onSubmit={() => {
          const course = findCourseByNumber(useCourseIndex.getState().data, text)
          if (course) return navigate(`/course-details/${course.id}`)
          preselectQuery(text)
          navigate('/courses?redirect=true')
        }}
      />
    </Box>
  )
}
