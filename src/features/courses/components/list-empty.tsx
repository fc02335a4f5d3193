import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { EmptyState } from '#components/state-panel.tsx'
import { findNearestMatches, type Search, waysOutOf } from '../nearest-model.ts'
import { useCourseIndex } from '../resource.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'
import { CourseCards } from './course-cards.tsx'

type Props = { search: Search; isLoggedIn: boolean }

/** Empty result: offers to remove filters, with the number of hits each would bring, and lists the nearest matches. */
export function ListEmpty({ search, isLoggedIn }: Props) {
  const { t } = useTranslation(['course-list', 'courses'])
  const replace = useSearchCriteria(state => state.replace)
  const reset = useSearchCriteria(state => state.reset)
  const ways = useMemo(() => waysOutOf(search), [search])
  const near = useMemo(() => findNearestMatches(search), [search])
  const hasProgramme = useCourseIndex(state => state.data.length > 0)
  if (!hasProgramme) {
    return <EmptyState title={t('empty.noProgramme')} text={t('empty.noProgrammeText')} />
  }
  const isNear = near.length > 0
  const back = (
    <ul className={isNear ? piece('row', 'close') : piece('stack', 'centered')}>
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
      <h2 className={piece('flush')}>{t('empty.title')}</h2>
      {back}
      <section className={piece('stack', 'close', 'flush')}>
        <h2>{t('empty.near')}</h2>
        <CourseCards courses={near} isLoggedIn={isLoggedIn} />
      </section>
    </>
  )
}
