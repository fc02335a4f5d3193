import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Box, CheckLabel, Text } from '#components/layout.tsx'
import { TextField } from '#components/text-field.tsx'
import { useResource } from '#lib/resource.ts'

const TYPING_MS = 250

type Props = { act: { webUserId?: number }; change(fields: { webUserId: number }): void }

/** Person search by name, number or e-mail. */
export function BookFields({ act, change }: Props) {
  const { t } = useTranslation('office-programme')
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  const { data } = useResource('listOfficePeople', asked.length < 2 ? null : { query: { q: asked, limit: '20' } })
  return (
    <>
      <TextField label={t('book.search')} hint={t('book.hint')} value={text} onChange={setText} autoComplete="off" />
      <Box as="fieldset" bare aria-live="polite">
        <Text as="legend" variant="name">
          {t('book.who')}
        </Text>
        {data?.items.map(({ id, name, email, personnelNumber }) => (
          <CheckLabel key={id}>
            <input
              type="radio"
              name="person"
              checked={act.webUserId === id}
              onChange={() => change({ webUserId: id })}
            />
            <span>
              {name}
              <Text as="small" size="s" block>
                {[personnelNumber, email].filter(Boolean).join(', ')}
              </Text>
            </span>
          </CheckLabel>
        ))}
        {data?.items.length === 0 && <p>{t('book.nobody')}</p>}
      </Box>
    </>
  )
}
