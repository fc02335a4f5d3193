import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type FailedSearch, findNearestMatches, removableCriteriaOf } from '#features/courses/search/nearest-model.ts'
import { useSearchCriteria } from '#features/courses/search/search-criteria-store.ts'
import { Button } from '#ui/button.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { EmptyState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { useCourseIndex } from '../resource.ts'
import { CourseCards } from './course-cards.tsx'

type Props = { search: FailedSearch; isLoggedIn: boolean }

/**
 * Shown when a search has no hits. Offers to remove filters, with the number of hits that each removal would yield, and
 * lists the nearest matches.
 */
export function NoCoursesFound({ search, isLoggedIn }: Props) {
  const { t } = useTranslation(['course-list', 'courses'])
  const replace = useSearchCriteria(state => state.replace)
  const reset = useSearchCriteria(state => state.reset)
  const ways = useMemo(() => removableCriteriaOf(search), [search])
  const near = useMemo(() => findNearestMatches(search), [search])
  const hasProgramme = useCourseIndex(state => state.data.length > 0)
  if (!hasProgramme) {
    return <EmptyState title={t('empty.noProgramme')} text={t('empty.noProgrammeText')} />
  }
  const isNear = near.length > 0
  const back = (
    <ul className={isNear ? styles({ base: 'row', gap: 's' }) : styles({ base: 'stack', align: 'center' })}>
      {ways.map(({ key, label, hits, without }) => (
        <li key={key}>
          <Button look="ghost" isPill={isNear} onClick={() => replace(without)}>
            {t('empty.without', { label })}
            <small>{t('empty.withoutHits', { count: hits })}</small>
          </Button>
        </li>
      ))}
      <li>
        <Button look="plain" isPill={isNear} onClick={reset}>
          {t('courses:list.resetAll')}
        </Button>
      </li>
    </ul>
  )
  if (!isNear) {
    return (
      <EmptyState title={t('empty.title')} text={t('empty.text')}>
        {back}
      </EmptyState>
    )
  }
  // The nearest matches are expanded initially.
  return (
    <>
      <Text as="h2" flush>
        {t('empty.title')}
      </Text>
      {back}
      <Stack as="section" gap="s" flush>
        <h2>{t('empty.near')}</h2>
        <CourseCards courses={near} isLoggedIn={isLoggedIn} />
      </Stack>
    </>
  )
}
