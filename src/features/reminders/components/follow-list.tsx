import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Follow } from '#contract/reminders.ts'
import { nameIn, pickText } from '#contract/words.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Box, Row, Text } from '#ui/layout.tsx'
import { useFollows } from '../resource.ts'
import { FollowButton } from './follow-button.tsx'

type Language = ReturnType<typeof useLanguage>
type Courses = ReturnType<typeof useCourseIndex.getState>['data']

function nameOf({ kind, id }: Follow, courses: Courses, language: Language): string {
  if (kind === 'course') {
    const course = courses.find(other => other.id === id)
    return course ? nameIn(language, course) : ''
  }
  const one = courses.find(course => (kind === 'category' ? course.courseCategoryId : course.seasonId) === id)
  if (!one) return ''
  return kind === 'category'
    ? pickText(language, one.courseCategory, one.courseCategory2)
    : pickText(language, one.season, one.season2)
}

export function FollowList() {
  const { t } = useTranslation('reminders')
  const language = useLanguage()
  const follows = useFollows(state => state.data)
  const courses = useCourseIndex(state => state.data)
  useEffect(() => {
    useFollows.load()
    if (useCourseIndex.getState().phase === 'loading') useCourseIndex.load()
  }, [])
  const coming = [...new Set(courses.filter(({ seasonBookable }) => !seasonBookable).map(({ seasonId }) => seasonId))]
    .map((id): Follow => ({ kind: 'season', id }))
    .filter(({ id }) => !follows.some(follow => follow.kind === 'season' && follow.id === id))
  const shown = [...follows, ...coming]
  if (shown.length === 0)
    return (
      <Text tone="muted" flush>
        {t('follow.none')}
      </Text>
    )
  return (
    <Box as="ul" divided>
      {shown.map(follow => {
        const name = nameOf(follow, courses, language)
        return (
          <Row as="li" key={`${follow.kind} ${follow.id}`} justify="between" py="s">
            <span>{name}</span>
            <FollowButton {...follow} name={name} />
          </Row>
        )
      })}
    </Box>
  )
}
