import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { InstructorProfile } from '#contract/endpoints/content.ts'
import type { Language } from '#contract/values.ts'
import { textInLanguage } from '#contract/words.ts'
import { preselectQuery } from '#features/courses/search/search-criteria-store.ts'
import { decodeComponent } from '#lib/decode-component.ts'
import { useLanguage } from '#lib/use-language.ts'
import { AsOfLine } from '#ui/as-of-line.tsx'
import { CourtLines } from '#ui/court-lines.tsx'
import { CardBody, Columns, PictureCard, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconSearch } from '#ui/shell-icons.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#ui/state-panel.tsx'
import { styles } from '#ui/styles.ts'
import { ContentPicture } from './components/content-picture.tsx'
import { FlyerCard } from './components/flyer-card.tsx'
import classes from './components/profile-card.module.css'
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
    if (hash !== '') document.getElementById(decodeComponent(hash))?.scrollIntoView()
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

/** Latest year that existing data uses as a placeholder for "unset". */
const UNSET_YEAR = 1900

function ProfileCard({ profile }: { profile: InstructorProfile }) {
  const { t } = useTranslation('reading')
  const name = `${profile.givenName} ${profile.familyName}`
  return (
    <PictureCard id={name}>
      <div className={classes.picture}>
        <ContentPicture of={profile} sizes="(min-width: 48em) 380px, calc(100vw - 34px)" width={600} height={600} />
        {!profile.pictureFileName && <CourtLines />}
      </div>
      <CardBody flush>
        <h2>{name}</h2>
        {profile.yearOfBirth > UNSET_YEAR && (
          <Text tone="muted">{t('profile.born', { year: profile.yearOfBirth })}</Text>
        )}
        <Stack as="dl" gap="s" my="m">
          {instructorProfileFacts(profile, useLanguage()).map(({ key, text }) => (
            <div key={key}>
              <Text as="dt" size="s">
                {t(`profile.${key}`)}
              </Text>
              <dd>{text}</dd>
            </div>
          ))}
        </Stack>
        <Link
          href="/courses?redirect=true"
          className={styles({ base: 'actionLink', mt: 'auto' })}
          onClick={() => preselectQuery(`"${name}"`)}
        >
          <IconSearch size={20} />
          {t('profile.search', { name: profile.givenName })}
        </Link>
      </CardBody>
    </PictureCard>
  )
}

const FACTS = ['courses', 'profession', 'hobbies', 'likeReasonsInstructor', 'favoriteWorkout'] as const

/** The non-empty texts of an instructor profile, in the language of the app. */
const instructorProfileFacts = (profile: InstructorProfile, language: Language) =>
  FACTS.map(key => ({ key, text: textInLanguage(language, profile[key], profile[`${key}2`]) })).filter(
    ({ text }) => text,
  )
