import { useTranslation } from 'react-i18next'
import { LongTextField } from '#ui/long-text-field.tsx'

type Noted = { note?: string | undefined; note2?: string | undefined }

/**
 * Fields for a note to the participants in both languages. If the second text is empty, the first one is used for both.
 */
export function NoteFields({ act, change }: { act: Noted; change(fields: Noted): void }) {
  const { t } = useTranslation('office')
  return (
    <>
      <LongTextField
        label={t('note.de')}
        hint={t('note.hint')}
        value={act.note ?? ''}
        onChange={note => change({ note })}
      />
      <LongTextField label={t('note.en')} value={act.note2 ?? ''} onChange={note2 => change({ note2 })} />
    </>
  )
}
