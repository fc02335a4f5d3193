import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import skeleton from '#components/skeleton.module.css'
import { EmptyState, ErrorState } from '#components/state-panel.tsx'
import type { ChosenFilter } from '../filter-model.ts'
import type { ListedCourse } from '../model.ts'
import { loadProgramme, useCourseIndex } from '../resource.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'
import { CourseCards } from './course-cards.tsx'

export function ListSkeleton() {
  const { t } = useTranslation('courses')
  return (
    <div role="status">
      <span className="visually-hidden">{t('list.loading')}</span>
      <div aria-hidden className={`${piece('stack', 'close')} ${skeleton.rows}`}>
        {[0, 1, 2, 3].map(index => (
          <i key={index} />
        ))}
      </div>
    </div>
  )
}

export function ListFailed() {
  const { t } = useTranslation('courses')
  return <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={loadProgramme} />
}

/** Search terms that were corrected, and their replacements. */
export function Corrections({ corrected }: { corrected: readonly { raw: string; word: string }[] }) {
  const { t } = useTranslation('courses')
  const { change } = useSearchCriteria.getState()
  return (
    <div role="status">
      {corrected.map(({ raw, word }) => (
        <p key={raw} className={piece('flush')}>
          {t('list.meant')}{' '}
          <Button
            look="text"
            onClick={() => change({ text: useSearchCriteria.getState().criteria.text.replace(raw, word) })}
          >
            {word}
          </Button>
        </p>
      ))}
    </div>
  )
}

type EmptyProps = {
  ways: readonly (ChosenFilter & { hits: number })[]
  near: readonly ListedCourse[]
  isLoggedIn: boolean
}

/** Empty result: offers to remove filters, with the number of hits each would bring, and lists the nearest matches. */
export function ListEmpty({ ways, near, isLoggedIn }: EmptyProps) {
  const { t } = useTranslation('courses')
  const replace = useSearchCriteria(state => state.replace)
  const reset = useSearchCriteria(state => state.reset)
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
          {t('list.resetAll')}
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
