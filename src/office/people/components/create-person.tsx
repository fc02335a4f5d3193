import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { closeActDialog, startAct } from '#office/frame/act-store.ts'
import { Box, Stack, Text } from '#ui/layout.tsx'
import { PersonFields } from './person-fields.tsx'

const TYPING_MS = 400
const SHOWN = 5

/** People whose name resembles the one being typed, so that nobody is created twice. */
function SimilarPeople({ givenName = '', familyName = '' }: { givenName?: string; familyName?: string }) {
  const { t } = useTranslation('office-people')
  const typed = familyName.trim().length > 1 ? `${givenName} ${familyName}`.trim() : ''
  const [sought, setSought] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSought(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const found = useResource('listOfficePeople', sought === '' ? null : { query: { q: sought, limit: SHOWN } })
  const people = sought === '' ? [] : (found.data?.items ?? [])
  return (
    <div aria-live="polite">
      {people.length > 0 && (
        <Stack gap="s">
          <Text flush>{t('create.similar')}</Text>
          <Box as="ul" bare divided>
            {people.map(({ id, name, email, division = '' }) => (
              <Text as="li" key={id} flush>
                <Link href={`/office/people/${id}`} onClick={closeActDialog}>
                  {name}
                </Link>{' '}
                {[email, division].filter(Boolean).join(', ')}
              </Text>
            ))}
          </Box>
        </Stack>
      )}
    </div>
  )
}

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
      form: fields => (
        <>
          <PersonFields {...fields} />
          <SimilarPeople {...fields.act} />
        </>
      ),
      missing: ({ familyName = '' }) => (familyName.trim() === '' ? [PROFILE_FIELD_LABELS[language].familyName] : []),
      onDone: answer => navigate(`/office/people/${answer.result.webUserId}`),
    })
}
