import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
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
      <fieldset className={piece('bare')} aria-live="polite">
        <legend className={piece('name')}>{t('book.who')}</legend>
        {data?.items.map(({ id, name, email, personnelNumber }) => (
          <label key={id} className={piece('check')}>
            <input
              type="radio"
              name="person"
              checked={act.webUserId === id}
              onChange={() => change({ webUserId: id })}
            />
            <span>
              {name}
              <small className={piece('small', 'block')}>{[personnelNumber, email].filter(Boolean).join(', ')}</small>
            </span>
          </label>
        ))}
        {data?.items.length === 0 && <p>{t('book.nobody')}</p>}
      </fieldset>
    </>
  )
}
