import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { InstructorProfile } from '#contract/content.ts'
import { searchFor } from '#features/courses/search-criteria-store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { CourtLines } from '#ui/court-lines.tsx'
import { CardBody, PictureCard, Stack, Text } from '#ui/layout.tsx'
import { IconSearch } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { instructorProfileFacts } from '../profile-model.ts'
import { ContentPicture } from './content-picture.tsx'
import classes from './profile-card.module.css'

/** Latest year that existing data uses as a placeholder for "unset". */
const UNSET_YEAR = 1900

export function ProfileCard({ profile }: { profile: InstructorProfile }) {
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
          onClick={() => searchFor(`"${name}"`)}
        >
          <IconSearch size={20} />
          {t('profile.search', { name: profile.givenName })}
        </Link>
      </CardBody>
    </PictureCard>
  )
}
