import type { Follow } from '#contract/reminders.ts'
import { useCriteria } from '#features/courses/criteria-store.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { FollowButton } from '#features/reminders/components/follow-button.tsx'

/** Follow button for the category, or upcoming season, that is the only active filter. */
export function FollowChosen() {
  const { categories, seasons } = useCriteria(state => state.criteria.facets)
  const courses = useCourseIndex(state => state.data)
  const isComing = courses.some(course => String(course.seasonId) === seasons[0] && !course.seasonBookable)
  const chosen: Follow[] = [
    ...(categories.length === 1 ? [{ kind: 'category' as const, id: Number(categories[0]) }] : []),
    ...(seasons.length === 1 && isComing ? [{ kind: 'season' as const, id: Number(seasons[0]) }] : []),
  ]
  return chosen.map(follow => (
    <li key={follow.kind}>
      <FollowButton {...follow} isPill />
    </li>
  ))
}
