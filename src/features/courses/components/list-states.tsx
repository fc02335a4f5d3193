import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { EmptyState, ErrorState } from '#components/state-panel.tsx'
import { useCriteria } from '../criteria-store.ts'
import type { ChosenFilter } from '../filter-model.ts'
import { loadProgramme, useCourseIndex } from '../resource.ts'
import classes from './list-states.module.css'

export function ListSkeleton() {
  const { t } = useTranslation('courses')
  return (
    <div role="status">
      <span className="visually-hidden">{t('list.loading')}</span>
      <div aria-hidden className={classes.skeletons}>
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

/** Nothing fits: says what to give up, and what that would bring. */
export function ListEmpty({ ways }: { ways: readonly (ChosenFilter & { hits: number })[] }) {
  const { t } = useTranslation('courses')
  const replace = useCriteria(state => state.replace)
  const reset = useCriteria(state => state.reset)
  const hasProgramme = useCourseIndex(state => state.data.length > 0)
  if (!hasProgramme) {
    return <EmptyState title={t('empty.noProgramme')} text={t('empty.noProgrammeText')} />
  }
  return (
    <EmptyState title={t('empty.title')} text={t('empty.text')}>
      <ul className={classes.ways}>
        {ways.map(({ key, label, hits, without }) => (
          <li key={key}>
            <Button look="ghost" onClick={() => replace(without)}>
              {t('empty.without', { label })}
              <small>{t('empty.withoutHits', { count: hits })}</small>
            </Button>
          </li>
        ))}
        <li>
          <Button look="plain" onClick={reset}>
            {t('list.resetAll')}
          </Button>
        </li>
      </ul>
    </EmptyState>
  )
}
