import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useResource } from '#lib/resource.ts'
import type { ActDraft, InitialActDraft } from '#office/frame/act-store.ts'
import { NoteFields } from '#office/frame/components/note-fields.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { instructorName } from '../model.ts'
import type { AbsenceLesson } from '../resource.ts'
import { AffectedLessons } from './affected-lessons.tsx'

type Change = NonNullable<ActDraft<'set-absence'>['lessons']>[number]
type Props = {
  act: InitialActDraft<'set-absence'>
  change(fields: Partial<ActDraft<'set-absence'>>): void
  onRead(lessons: readonly AbsenceLesson[]): void
}

/** Choice of the absent instructor, for a dialog that was opened without one. */
function InstructorField({ value, onChange }: { value: string; onChange(email: string): void }) {
  const { t } = useTranslation('office-programme')
  const instructors = useCompleteList('listOfficeInstructors')
  return (
    <ChoiceField
      name="instructorEmail"
      label={t('field.instructor')}
      required
      placeholder={t('field.choose')}
      value={value}
      options={(instructors.data ?? []).map(({ email, ...instructor }) => ({
        value: email,
        label: instructorName(instructor),
      }))}
      onChange={onChange}
    />
  )
}

/** Fields for the days of an absence and for the lessons affected, which get substitutes. */
export function AbsenceFields({ act, change, onRead }: Props) {
  const { t } = useTranslation('office-programme')
  const { instructorEmail = '', from = '', to = '' } = act
  const isSpan = instructorEmail !== '' && from !== '' && to !== '' && from <= to
  const [wasGiven] = useState(instructorEmail !== '')
  const reading = useResource('listAbsenceLessons', isSpan ? { query: { instructorEmail, from, to } } : null)
  const optionsOf = ({ free, busy }: AbsenceLesson) => ({
    free: free.map(({ email, name, taught }) => ({
      value: email,
      label: [name, t('absence.free'), taught > 0 && t('absence.taught', { count: taught })]
        .filter(Boolean)
        .join(' · '),
    })),
    busy: busy.map(({ email, name, number, until }) => ({
      value: email,
      label: `${name} · ${t('absence.busy', { number, until })}`,
    })),
  })
  return (
    <>
      {!wasGiven && (
        <InstructorField value={instructorEmail} onChange={email => change({ instructorEmail: email, lessons: [] })} />
      )}
      <AffectedLessons<AbsenceLesson, Change>
        act={act}
        change={change}
        reading={isSpan ? reading : null}
        onRead={onRead}
        bulk={[
          {
            label: count => t('absence.coverAll', { count }),
            decide: undecided =>
              undecided.flatMap(({ courseDateId, free: [best] }) =>
                best ? [{ courseDateId, substituteEmail: best.email }] : [],
              ),
          },
        ]}
        optionsOf={optionsOf}
        chosenOf={({ substituteEmail }) => substituteEmail ?? ''}
        toChange={substituteEmail => ({ substituteEmail })}
      />
      <NoteFields act={act} change={change} />
    </>
  )
}
