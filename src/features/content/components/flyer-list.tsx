import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { Columns } from '#ui/layout.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { itemsInLanguage } from '../document-model.ts'
import { useContent } from '../resource.ts'
import { FlyerCard } from './flyer-card.tsx'

export function FlyerList({ type }: { type: 'Flyer' | 'CourseFlyer' }) {
  const { t } = useTranslation('reading')
  const language = useLanguage()
  const { data, phase, asOf, isStale } = useContent()
  if (phase === 'loading') return <Skeleton rows={3} height={280} />
  if (phase === 'failed')
    return <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={useContent.load} />
  const flyers = itemsInLanguage(data.items, type, language)
  return (
    <>
      <AsOfLine asOf={asOf} isStale={isStale} />
      {flyers.length === 0 && <EmptyState title={t('flyers.empty')} text={t('flyers.emptyText')} />}
      <Columns as="ul" gap="l">
        {flyers.map((item, index) => (
          <FlyerCard key={item.fileName + item.text1} item={item} isFirst={index === 0} />
        ))}
      </Columns>
    </>
  )
}
