import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listOfficeCategories, listOfficeDivisions } from '#contract/office-programme.ts'
import { type Opening, startAct } from '#features/office/act-store.ts'
import { FileField } from '#features/office-content/components/file-field.tsx'
import {
  CATEGORY_FIELDS,
  DIVISION_FIELDS,
  type FieldSpec,
  INSTRUCTOR_FIELDS,
  isComplete,
  ROOM_FIELDS,
} from '../model.ts'
import type { Instructor, Room } from '../resource.ts'
import { ActFields } from './act-fields.tsx'

export type Category = ResponseOf<typeof listOfficeCategories>['items'][number]
export type Division = ResponseOf<typeof listOfficeDivisions>['items'][number]
type SaveKind = 'save-room' | 'save-category' | 'save-division' | 'save-instructor'

const PICTURES = '.jpg,.jpeg,.png,.webp,.avif,.svg'
const EMAIL: FieldSpec = { name: 'email', kind: 'line', isRequired: true }

/** The acts about rooms, categories, divisions and instructors: without a row, a new one. */
export function useBasicActs() {
  const { t } = useTranslation('office-programme')

  const save = (
    what: 'room' | 'category' | 'division' | 'instructor',
    act: Opening<SaveKind>,
    fields: readonly FieldSpec[],
    stored?: Readonly<Record<string, unknown>>,
  ) => {
    const hasPicture = what === 'category' || what === 'instructor'
    const title = t(stored ? `act.change-${what}` : `act.new-${what}`)
    const known = Object.keys(act).length
    startAct<SaveKind>({
      act,
      title,
      confirm: title,
      ...(stored && { about: String(stored.name ?? stored.familyName) }),
      isReady: sent => Object.keys(sent).length > known && isComplete(fields, { ...stored, ...sent }),
      form: ({ act: sent, change }) => (
        <>
          <ActFields fields={fields} act={sent} stored={stored} change={change} />
          {hasPicture && (
            <FileField label={t(`field.picture-${what}`)} accept={PICTURES} onUploaded={fileId => change({ fileId })} />
          )}
        </>
      ),
    })
  }

  const saveRoom = (room?: Room) =>
    save(
      'room',
      { kind: 'save-room', quiet: false, ...(room && { roomId: room.roomId, version: room.version }) },
      ROOM_FIELDS,
      room,
    )
  const saveCategory = (category?: Category) =>
    save(
      'category',
      { kind: 'save-category', quiet: false, ...(category && { id: category.id, version: category.version }) },
      CATEGORY_FIELDS,
      category,
    )
  const saveDivision = (division?: Division) =>
    save(
      'division',
      { kind: 'save-division', quiet: false, ...(division && { id: division.id, version: division.version }) },
      DIVISION_FIELDS,
      division,
    )
  const saveInstructor = (instructor?: Instructor) =>
    save(
      'instructor',
      instructor
        ? { kind: 'save-instructor', quiet: false, email: instructor.email, version: instructor.version }
        : { kind: 'save-instructor', quiet: false },
      instructor ? INSTRUCTOR_FIELDS : [EMAIL, ...INSTRUCTOR_FIELDS],
      instructor,
    )
  const removeRoom = ({ roomId, version, name }: Room) =>
    startAct({
      act: { kind: 'remove', what: 'room', id: roomId, version },
      title: t('act.remove-room'),
      about: name,
      confirm: t('act.remove-room'),
    })
  return { saveRoom, saveCategory, saveDivision, saveInstructor, removeRoom }
}
