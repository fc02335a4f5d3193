import type { FollowedItem } from '#contract/endpoints/reminders.ts'
import { useCourseIndex } from '#features/courses/resource.ts'
import { useSearchCriteria } from '#features/courses/search/search-criteria-store.ts'
import { FollowButton } from '#features/reminders/components/follow-button.tsx'

/** Follow button for a category or an upcoming season, shown if that is the only active filter. */
export function FollowFilterButton() {
  const { categories, seasons } = useSearchCriteria(state => state.criteria.facets)
  const courses = useCourseIndex(state => state.data)
  const isComing = courses.some(course => String(course.seasonId) === seasons[0] && !course.seasonBookable)
  const chosen: FollowedItem[] = [
    ...(categories.length === 1 ? [{ kind: 'category' as const, id: Number(categories[0]) }] : []),
    ...(seasons.length === 1 && isComing ? [{ kind: 'season' as const, id: Number(seasons[0]) }] : []),
  ]
  return chosen.map(follow => (
    <li key={follow.kind}>
      <FollowButton {...follow} isPill />
    </li>
  ))
}
