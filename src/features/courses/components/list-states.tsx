import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import skeleton from '#components/skeleton.module.css'
import { ErrorState } from '#components/state-panel.tsx'
import { loadProgramme } from '../resource.ts'
import { useSearchCriteria } from '../search-criteria-store.ts'

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
