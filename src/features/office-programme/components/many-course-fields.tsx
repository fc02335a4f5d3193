import { useTranslation } from 'react-i18next'
import type { ActDraft, InitialActDraft } from '#features/office/act-store.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { ALL_COURSE_FIELDS } from '../model.ts'
import type { Room } from '../resource.ts'
import { ActFields } from './act-fields.tsx'

const NAMES = ['fee', 'energyFee', 'externalFee', 'participants', 'bookableFrom'] as const
/** The same fields as in the form for a single course, except that none is required. */
const FIELDS = ALL_COURSE_FIELDS.filter(({ name }) => NAMES.some(one => one === name)).map(
  ({ isRequired, ...field }) => field,
)

export const hasCourseChanges = (act: InitialActDraft<'change-courses'>): boolean =>
  act.roomId !== undefined || NAMES.some(name => act[name] !== undefined)

type Props = {
  act: InitialActDraft<'change-courses'>
  change(fields: Partial<ActDraft<'change-courses'>>): void
  rooms: readonly Room[]
}

/** Fields to change in all selected courses. Empty fields leave the courses unchanged. */
export function ManyCourseFields({ act, change, rooms }: Props) {
  const { t } = useTranslation('office-programme')
  const write = (fields: Record<string, unknown>) =>
    change(
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, value || value === 0 ? value : undefined]),
      ),
    )
  return (
    <>
      <p>{t('course.manyHint')}</p>
      <ActFields isBulk fields={FIELDS} act={act} change={write} />
      <ChoiceField
        name="roomId"
        label={t('field.room')}
        value={act.roomId === undefined ? '' : String(act.roomId)}
        options={[
          { value: '', label: t('field.unchanged') },
          ...rooms.map(({ roomId, name, site }) => ({
            value: String(roomId),
            label: [name, site].filter(Boolean).join(', '),
          })),
        ]}
        onChange={value => write({ roomId: value === '' ? undefined : Number(value) })}
      />
    </>
  )
}
