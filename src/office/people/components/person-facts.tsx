import { useTranslation } from 'react-i18next'
import { isOneOf } from '#contract/records.ts'
import { profileFormGroupOf, YEAR_OF_BIRTH_UNSET } from '#contract/rules/profile-rules.ts'
import {
  PROFILE_FIELD_LABELS,
  PROFILE_FIELDS,
  STORED_PROFILE_FIELDS,
  type StoredProfileField,
} from '#contract/tables/person.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Stack } from '#ui/layout.tsx'
import type { OfficePerson, OfficeProfile } from './person-acts.tsx'

/** Fields that the list omits because the page header shows them or because they are internal ids. */
const ELSEWHERE = [
  'email',
  'formOfAddress',
  'title',
  'givenName',
  'familyName',
  'employeeStatus',
  'billingType',
  'divisionId',
]
/** Contact data comes first, because the department needs it most often. */
const FACTS = (['contact', 'home', 'affiliation', 'person'] as const).flatMap(group =>
  PROFILE_FIELDS.filter(
    (field): field is Exclude<StoredProfileField, 'email'> =>
      profileFormGroupOf(field) === group && isOneOf(STORED_PROFILE_FIELDS, field) && !isOneOf(ELSEWHERE, field),
  ),
)

const shownValue = (profile: OfficeProfile, field: keyof OfficeProfile): string => {
  const value = profile[field]
  if (field === 'yearOfBirth' && value === YEAR_OF_BIRTH_UNSET) return ''
  return value === 0 ? '' : String(value ?? '')
}

/** A person's contact data and profile. */
export function PersonFacts({ person: { email, profile, rights, pending } }: { person: Required<OfficePerson> }) {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  return (
    <Stack as="dl" gap="s" pairs>
      <div>
        <dt>{t('field.email')}</dt>
        <dd>{email ? <a href={`mailto:${email}`}>{email}</a> : t('person.noEmail')}</dd>
      </div>
      {FACTS.filter(field => shownValue(profile, field) !== '').map(field => (
        <div key={field}>
          <dt>{PROFILE_FIELD_LABELS[language][field]}</dt>
          <dd>
            {/Phone$/.test(field) ? (
              <a href={`tel:${shownValue(profile, field).replace(/[^+\d]/g, '')}`}>{shownValue(profile, field)}</a>
            ) : (
              shownValue(profile, field)
            )}
          </dd>
        </div>
      ))}
      {rights.length + pending.length > 0 && (
        <div>
          <dt>{t('person.rights')}</dt>
          <dd>
            {[
              ...rights.map(right => t(`office:right.${right}`)),
              ...pending.map(right => t('office:rights.invitedTo', { right: t(`office:right.${right}`) })),
            ].join(', ')}
          </dd>
        </div>
      )}
    </Stack>
  )
}
