import i18next from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RIGHTS } from '#contract/values.ts'
import { CheckField } from '#ui/check-field.tsx'
import { ChoiceField } from '#ui/choice-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { ActDraft, ActRequest, InitialActDraft } from '../act-store.ts'

const t = i18next.getFixedT(null, 'office')
const LANGUAGES = ['de', 'en'] as const

type Fields = { act: InitialActDraft<'invite-person'>; change(fields: Partial<ActDraft<'invite-person'>>): void }

function InviteFields({ act, change }: Fields) {
  const { t } = useTranslation('office')
  const [email, setEmail] = useState(act.email ?? '')
  const { rights } = act
  return (
    <>
      <TextField
        label={t('rights.email')}
        type="email"
        required
        value={email}
        onChange={text => {
          setEmail(text)
          change({ email: text.trim() })
        }}
      />
      <ChoiceField
        name="language"
        label={t('invite.language')}
        value={act.language ?? 'de'}
        options={LANGUAGES.map(value => ({ value, label: t(`invite.${value}`) }))}
        onChange={language => change({ language })}
      />
      {rights && (
        <fieldset>
          <legend>{t('invite.rights')}</legend>
          {RIGHTS.map(right => (
            <CheckField
              key={right}
              label={t(`right.${right}`)}
              checked={rights.includes(right)}
              onChange={isHeld =>
                change({ rights: RIGHTS.filter(one => (one === right ? isHeld : rights.includes(one))) })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  )
}

/**
 * Prepares the action that invites a person.
 * @param rights pass [] to let the user grant permissions along with the invitation; omit it if none can be granted
 */
export const inviteRequest = (rights?: []): ActRequest<'invite-person'> => ({
  act: { kind: 'invite-person', email: '', language: 'de', ...(rights && { rights }) },
  title: t('invite.title'),
  about: t('invite.about'),
  form: InviteFields,
  missing: ({ email = '' }) => (/^\S+@\S+\.\S+$/.test(email) ? [] : [t('rights.email')]),
})
