import i18next from 'i18next'
import { LongTextField } from '#ui/long-text-field.tsx'
import type { ActRequest } from '../act-store.ts'

const t = i18next.getFixedT(null, 'office')

/** Prepares the action that notes a telephone call. `notice`: what it was about, if it was a task. */
export const noteCall = (
  { id, name }: { id: number; name: string },
  notice?: { letterId: number; about: string },
): ActRequest<'note-call'> => ({
  act: { kind: 'note-call', webUserId: id, text: notice?.about ?? '', ...(notice && { letterId: notice.letterId }) },
  title: t('today.noteCall'),
  about: name,
  form: ({ act, change }) => (
    <LongTextField
      label={t('today.callText')}
      required
      value={act.text ?? ''}
      maxLength={2000}
      onChange={text => change({ text })}
    />
  ),
  missing: ({ text = '' }) => (text.trim() === '' ? [t('today.callText')] : []),
})
