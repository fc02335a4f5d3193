import i18next from 'i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import {
  CATEGORY_FORM_FIELDS,
  DIVISION_FORM_FIELDS,
  INSTRUCTOR_FORM_FIELDS,
  type listOfficeCategories,
  type listOfficeDivisions,
  ROOM_FORM_FIELDS,
} from '#contract/office/programme.ts'
import type { FormFieldSpec } from '#contract/tables/fields.ts'
import { FileField } from '#office/content/components/file-field.tsx'
import { type ActRequest, type InitialActDraft, requestsOn } from '#office/frame/act-store.ts'
import { fetchRow } from '#office/frame/list-resource.ts'
import type { Instructor, Room } from '../resource.ts'
import { ActFields, labelFieldValues, missingFieldLabels } from './act-fields.tsx'

export type OfficeCategory = ResponseOf<typeof listOfficeCategories>['items'][number]
export type OfficeDivision = ResponseOf<typeof listOfficeDivisions>['items'][number]
type What = 'room' | 'category' | 'division' | 'instructor'
export type SaveKind = `save-${What}`
type Stored<Key extends string> = Readonly<Record<string, unknown> & Record<Key, number | string> & { version: number }>

const PICTURES = '.jpg,.jpeg,.png,.webp,.avif,.svg'
const EMAIL: FormFieldSpec = { name: 'email', kind: 'line', isRequired: true }

const t = i18next.getFixedT(null, 'office-programme')

/**
 * Returns a function that builds the request that saves a row. Without an existing row, a new one is created.
 * @param key field that identifies a row, both in its list and in the data of the action
 * @param read fetches the current row
 */
const savingOf = <Key extends 'roomId' | 'id' | 'email', Row extends Stored<Key>>(
  what: What,
  key: Key,
  fields: readonly FormFieldSpec[],
  read: (fits: (row: Row) => boolean) => Promise<Row>,
) => {
  const hasPicture = what === 'category' || what === 'instructor'
  const request = (row?: Row): ActRequest<SaveKind> => {
    // The e-mail address identifies an existing instructor, so it cannot be changed.
    const asked = row || what !== 'instructor' ? fields : [EMAIL, ...fields]
    const act: InitialActDraft<SaveKind> = {
      kind: `save-${what}`,
      quiet: false,
      ...(row && { [key]: row[key], version: row.version }),
    }
    const title = t(row ? `act.change-${what}` : `act.new-${what}`)
    const known = Object.keys(act).length
    return {
      act,
      title,
      ...(row && { about: String(row.name ?? row.familyName) }),
      missing: sent => {
        const labels = missingFieldLabels(asked, { ...row, ...sent })
        return labels.length > 0 || Object.keys(sent).length > known ? labels : [t('office:act.aChange')]
      },
      form: ({ act: sent, change }) => (
        <>
          <ActFields fields={asked} act={sent} stored={row} change={change} />
          {hasPicture && (
            <FileField label={t(`field.picture-${what}`)} accept={PICTURES} onUploaded={fileId => change({ fileId })} />
          )}
        </>
      ),
      ...(row && {
        facts: labelFieldValues(asked, row),
        again: async () => request(await read(one => one[key] === row[key])),
      }),
    }
  }
  return request
}

export const saveRoom = savingOf<'roomId', Room>('room', 'roomId', ROOM_FORM_FIELDS, fits =>
  fetchRow('listRooms', fits),
)
export const saveCategory = savingOf<'id', OfficeCategory>('category', 'id', CATEGORY_FORM_FIELDS, fits =>
  fetchRow('listOfficeCategories', fits),
)
export const saveDivision = savingOf<'id', OfficeDivision>('division', 'id', DIVISION_FORM_FIELDS, fits =>
  fetchRow('listOfficeDivisions', fits),
)
export const saveInstructor = savingOf<'email', Instructor>('instructor', 'email', INSTRUCTOR_FORM_FIELDS, fits =>
  fetchRow('listOfficeInstructors', fits),
)

const requestOnRoom = requestsOn(
  (room: Room) => labelFieldValues(ROOM_FORM_FIELDS, room),
  ({ roomId }) => fetchRow('listRooms', room => room.roomId === roomId),
)

export const removeRoom = (read: Room) =>
  requestOnRoom<'remove'>(read, ({ roomId, version, name }) => ({
    act: { kind: 'remove', what: 'room', id: roomId, version },
    title: t('act.remove-room'),
    about: name,
  }))
