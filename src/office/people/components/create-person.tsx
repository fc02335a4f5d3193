import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { useLanguage } from '#lib/use-language.ts'
import { startAct } from '#office/frame/act-store.ts'
import { PersonFields } from './person-fields.tsx'

/** Returns a function that opens the dialog for creating a person and then that person's page. */
export function useCreatePerson(): () => void {
  const { t } = useTranslation('office-people')
  const language = useLanguage()
  const [, navigate] = useLocation()
  return () =>
    startAct<'create-person'>({
      act: { kind: 'create-person', familyName: '', email: '' },
      title: t('create.title'),
      about: t('create.about'),
      confirm: t('create.confirm'),
      form: PersonFields,
      missing: ({ familyName = '' }) => (familyName.trim() === '' ? [PROFILE_FIELD_LABELS[language].familyName] : []),
      onDone: answer => navigate(`/office/people/${answer.result.webUserId}`),
    })
}
