import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CourtLines } from '#components/court-lines.tsx'
import { piece } from '#components/pieces.ts'
import { IconSearch } from '#components/shell-icons.ts'
import type { InstructorProfile } from '#contract/content.ts'
import { searchFor } from '#features/courses/search-criteria-store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { profileFacts } from '../profile-model.ts'
import { ContentPicture } from './content-picture.tsx'
import classes from './profile-card.module.css'

/** Years up to this one mean "unset". */
const UNSET_YEAR = 1900

export function ProfileCard({ profile }: { profile: InstructorProfile }) {
  const { t } = useTranslation('reading')
  const name = `${profile.givenName} ${profile.familyName}`
  return (
    <li id={name} className={piece('upright')}>
      <div className={classes.picture}>
        <ContentPicture of={profile} sizes="(min-width: 48em) 380px, calc(100vw - 34px)" width={600} height={600} />
        {!profile.pictureFileName && <CourtLines />}
      </div>
      <div className={piece('words', 'flush')}>
        <h2>{name}</h2>
        {profile.yearOfBirth > UNSET_YEAR && (
          <p className={piece('muted')}>{t('profile.born', { year: profile.yearOfBirth })}</p>
        )}
        <dl className={piece('stack', 'close', 'spaced')}>
          {profileFacts(profile, useLanguage()).map(({ key, text }) => (
            <div key={key}>
              <dt className={piece('small')}>{t(`profile.${key}`)}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Link href="/courses?redirect=true" className={piece('action', 'last')} onClick={() => searchFor(`"${name}"`)}>
          <IconSearch size={20} />
          {t('profile.search', { name: profile.givenName })}
        </Link>
      </div>
    </li>
  )
}
