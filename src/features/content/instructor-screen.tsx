import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '#lib/use-language.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { Columns } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { FlyerCard } from './components/flyer-card.tsx'
import { ProfileCard } from './components/profile-card.tsx'
import { itemsInLanguage } from './document-model.ts'
import { itemsOfType } from './model.ts'
import { useContent } from './resource.ts'

/** The department's flyers for instructors, and the profiles of its instructors. The URL may select one profile. */
function Instructors() {
  const { t } = useTranslation('reading')
  const language = useLanguage()
  const { data, asOf, isStale } = useContent()
  const about = itemsInLanguage(data.items, 'InstructorFlyer', language)
  const others = itemsOfType(data.items, 'Instructor')
  const [, hash = ''] = window.location.hash.split('#')
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash))?.scrollIntoView()
  }, [hash])
  return (
    <>
      <AsOfLine asOf={asOf} isStale={isStale} />
      {about.length === 0 && data.instructors.length === 0 && <EmptyState title={t('instructor.empty')} />}
      <Columns as="ul" gap="l" aria-label={t('instructor.profiles')}>
        {about.map((item, position) => (
          <FlyerCard key={item.fileName + item.text1} item={item} isFirst={position === 0} />
        ))}
        {data.instructors.map(profile => (
          <ProfileCard key={`${profile.givenName} ${profile.familyName}`} profile={profile} />
        ))}
      </Columns>
      <Columns as="ul" gap="l">
        {others.map(item => (
          <FlyerCard key={item.fileName + item.text1} item={item} isFirst={false} />
        ))}
      </Columns>
    </>
  )
}

export function InstructorScreen() {
  const { t } = useTranslation(['reading', 'shell'])
  const phase = useContent(state => state.phase)
  return (
    <>
      <ScreenHeader title={t('shell:title.instructor')} lead={t('instructor.lead')} />
      {phase === 'loading' && <Skeleton rows={2} height={320} />}
      {phase === 'failed' && <ErrorState title={t('failed.title')} text={t('failed.text')} onRetry={useContent.load} />}
      {phase === 'ready' && <Instructors />}
    </>
  )
}
