import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import { listRooms } from '#contract/office.ts'
import { listOfficeCategories, listOfficeDivisions, listOfficeInstructors } from '#contract/office-programme.ts'
import { type ActRequest, type Opening, startAct } from '#features/office/act-store.ts'
import { readOne } from '#features/office/resource.ts'
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
import { ActFields, factsOf } from './act-fields.tsx'

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
    again?: () => Promise<ActRequest<SaveKind>>,
  ): ActRequest<SaveKind> => {
    const hasPicture = what === 'category' || what === 'instructor'
    const title = t(stored ? `act.change-${what}` : `act.new-${what}`)
    const known = Object.keys(act).length
    return {
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
      ...(stored && { facts: factsOf(t, fields, stored) }),
      ...(again && { again }),
    }
  }

  const saveRoom = (room?: Room): ActRequest<SaveKind> =>
    save(
      'room',
      { kind: 'save-room', quiet: false, ...(room && { roomId: room.roomId, version: room.version }) },
      ROOM_FIELDS,
      room,
      room && (async () => saveRoom(await readOne(listRooms, ({ roomId }) => roomId === room.roomId))),
    )
  const saveCategory = (category?: Category): ActRequest<SaveKind> =>
    save(
      'category',
      { kind: 'save-category', quiet: false, ...(category && { id: category.id, version: category.version }) },
      CATEGORY_FIELDS,
      category,
      category && (async () => saveCategory(await readOne(listOfficeCategories, ({ id }) => id === category.id))),
    )
  const saveDivision = (division?: Division): ActRequest<SaveKind> =>
    save(
      'division',
      { kind: 'save-division', quiet: false, ...(division && { id: division.id, version: division.version }) },
      DIVISION_FIELDS,
      division,
      division && (async () => saveDivision(await readOne(listOfficeDivisions, ({ id }) => id === division.id))),
    )
  const saveInstructor = (instructor?: Instructor): ActRequest<SaveKind> =>
    save(
      'instructor',
      instructor
        ? { kind: 'save-instructor', quiet: false, email: instructor.email, version: instructor.version }
        : { kind: 'save-instructor', quiet: false },
      instructor ? INSTRUCTOR_FIELDS : [EMAIL, ...INSTRUCTOR_FIELDS],
      instructor,
      instructor &&
        (async () => saveInstructor(await readOne(listOfficeInstructors, ({ email }) => email === instructor.email))),
    )
  const removeRoom = (room: Room): ActRequest<'remove'> => ({
    act: { kind: 'remove', what: 'room', id: room.roomId, version: room.version },
    title: t('act.remove-room'),
    about: room.name,
    confirm: t('act.remove-room'),
    facts: factsOf(t, ROOM_FIELDS, room),
    again: async () => removeRoom(await readOne(listRooms, ({ roomId }) => roomId === room.roomId)),
  })
  return {
    saveRoom: (room?: Room) => startAct(saveRoom(room)),
    saveCategory: (category?: Category) => startAct(saveCategory(category)),
    saveDivision: (division?: Division) => startAct(saveDivision(division)),
    saveInstructor: (instructor?: Instructor) => startAct(saveInstructor(instructor)),
    removeRoom: (room: Room) => startAct(removeRoom(room)),
  }
}
