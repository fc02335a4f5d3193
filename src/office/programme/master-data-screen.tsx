import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { type ScreenResource, useResource } from '#lib/resource.ts'
import { useToday } from '#lib/use-now.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { type ActRequest, startAct } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { CompactTable } from '#office/frame/components/compact-table.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { ReadTable } from '#office/frame/components/read-table.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { useCompleteList } from '#office/frame/list-resource.ts'
import { addDays, compareCellValues } from '#office/frame/model.ts'
import { Row, Stack, Text } from '#ui/layout.tsx'
import { setAbsence } from './components/absence-acts.tsx'
import {
  type OfficeCategory,
  type OfficeDivision,
  removeRoom,
  type SaveKind,
  saveCategory,
  saveDivision,
  saveInstructor,
  saveRoom,
} from './components/basic-acts.tsx'
import { type Closure, removeClosure, setClosure } from './components/closure-acts.tsx'
import { type CourseTemplate, removeTemplate, saveTemplate } from './components/template-acts.tsx'
import { UnregisteredInstructors } from './components/unknown-instructors.tsx'
import { UnregisteredVenues } from './components/unknown-places.tsx'
import { formatFullDate, instructorName, toDateString } from './model.ts'
import type { Instructor, Room } from './resource.ts'
import { useCourseFormOptions } from './use-course-form-options.ts'

/** Days ahead for which closures are listed. */
const CLOSURE_DAYS = 60

type PartProps<Row> = {
  /** key of the section's texts, also its name in the URL */
  name: 'room' | 'template' | 'category' | 'instructor' | 'division'
  reading: ScreenResource<Row[]>
  columns: readonly Column<Row>[]
  idOf: (row: Row) => number | string
  /** builds the action that saves a row, or a new one */
  toSaved: (row?: Row) => ActRequest<SaveKind> | ActRequest<'save-template'>
  toRemoved?: (row: Row) => ActRequest<'remove'>
  /** an additional action for each row */
  more?: { label: string; begin: (row: Row) => ActRequest<'set-closure'> | ActRequest<'set-absence'> }
}

const absenceOf = ({ email, ...instructor }: Instructor, from: string, to: string) => ({
  instructorEmail: email,
  name: instructorName(instructor),
  from,
  to,
})

/** Opens the dialog for the absence that the URL describes, but only once. */
function useAskedAbsence(instructors: readonly Instructor[] | null): void {
  const search = useQueryString()
  const [location, navigate] = useLocation()
  const [absent, from, to] = ['absent', 'from', 'to'].map(name => new URLSearchParams(search).get(name) ?? '')
  const instructor = absent && instructors?.find(({ email }) => email === absent)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per URL
  useEffect(() => {
    if (!instructor) return
    startAct(setAbsence(absenceOf(instructor, from ?? '', to ?? '')))
    navigate(location, { replace: true })
  }, [instructor])
}

/** Opens the dialog for the instructor whose licence the URL asks for, but only once. */
function useAskedLicence(instructors: readonly Instructor[] | null): void {
  const asked = new URLSearchParams(useQueryString()).get('licence')
  const [location, navigate] = useLocation()
  const instructor = asked && instructors?.find(({ email }) => email === asked)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per URL
  useEffect(() => {
    if (!instructor) return
    startAct(saveInstructor(instructor))
    navigate(location, { replace: true })
  }, [instructor])
}

/** Opens the dialog for the closure that the URL describes, but only once. */
function useAskedClosure(today: string): void {
  const params = new URLSearchParams(useQueryString())
  const [location, navigate] = useLocation()
  const [closed, site, name, from, to] = ['closed', 'site', 'name', 'from', 'to'].map(key => params.get(key) ?? '')
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per URL
  useEffect(() => {
    if (!closed) return
    const roomIds = closed.split(',').map(Number).filter(Boolean)
    const closure: Closure = {
      ...(site ? { site } : roomIds.length > 0 && { roomIds }),
      name: name ?? '',
      from: from || today,
      to: to || today,
    }
    startAct(setClosure(closure))
    navigate(location, { replace: true })
  }, [closed])
}

/** Current and upcoming closures of rooms and sites. */
function Closures({ from }: { from: string }) {
  const { t } = useTranslation('office-programme')
  const grid = useResource('getOfficeGrid', { query: { from, to: addDays(from, CLOSURE_DAYS) } })
  const found = grid.data?.closures ?? []
  return (
    <Stack as="section" aria-labelledby="basics-closure">
      <Row justify="between">
        <Text as="h2" id="basics-closure" flush>
          {t('closure.title')}
        </Text>
        <ActButton look="quiet" isPill begin={() => setClosure({ name: '', from, to: from })} />
      </Row>
      {found.length === 0 && (
        <Text tone="muted" flush>
          {t('closure.none')}
        </Text>
      )}
      {found.length > 0 && (
        <CompactTable
          caption={t('closure.title')}
          columns={[{ label: t('closure.place') }, { label: t('absence.from') }, { label: t('absence.to') }]}
          rows={found.map(closure => ({
            key: closure.closureId,
            cells: [closure.name, formatFullDate(closure.from), formatFullDate(closure.to)],
            actions: (
              <ActButton
                aria-label={`${t('act.remove-closure')}: ${closure.name}`}
                begin={() => removeClosure(closure.closureId, closure)}
              />
            ),
          }))}
        />
      )}
    </Stack>
  )
}

export function MasterDataScreen() {
  const { t } = useTranslation('office-programme')
  const rooms = useCompleteList('listRooms')
  const places = useResource('listRooms', {}).data?.unknown ?? []
  const instructors = useCompleteList('listOfficeInstructors')
  const categories = useCompleteList('listOfficeCategories')
  const divisions = useCompleteList('listOfficeDivisions')
  const templates = useCompleteList('listCourseTemplates')
  const options = useCourseFormOptions([], categories.data ?? [])
  useAskedAbsence(instructors.data)
  useAskedLicence(instructors.data)
  const today = toDateString(useToday())
  useAskedClosure(today)
  const yesNo = (value: boolean) => t(value ? 'field.yes' : 'field.no')
  const roomColumns: Column<Room>[] = [
    { key: 'name', label: t('field.name'), value: ({ name }) => name, isName: true },
    { key: 'site', label: t('field.site'), value: ({ site }) => site, fold: ({ site }) => site },
    {
      key: 'capacity',
      label: t('field.capacity'),
      value: ({ capacity }) => capacity,
      // The capacity of some rooms, such as outdoor venues, is unknown.
      show: ({ capacity }) => capacity || '–',
    },
    { key: 'shared', label: t('basics.shared'), value: ({ shared }) => yesNo(shared), isWideOnly: true },
    {
      key: 'equipment',
      label: t('field.equipment'),
      value: ({ equipment }) => equipment,
      isWideOnly: true,
      isLong: true,
    },
  ]
  const instructorColumns: Column<Instructor>[] = [
    {
      key: 'name',
      label: t('field.name'),
      isName: true,
      value: ({ familyName, givenName }) => [familyName, givenName].filter(Boolean).join(', '),
    },
    { key: 'email', label: t('field.email'), value: ({ email }) => email, isWideOnly: true },
    {
      key: 'licence',
      label: t('field.licenceUntil'),
      value: ({ licenceUntil }) => licenceUntil ?? '',
      show: ({ licence, licenceUntil }) =>
        [licence, licenceUntil && formatFullDate(licenceUntil)].filter(Boolean).join(' · '),
      isWideOnly: true,
      isLong: true,
    },
    { key: 'teaching', label: t('course.list'), value: ({ teaching }) => teaching },
  ]
  const categoryColumns: Column<OfficeCategory>[] = [
    { key: 'name', label: t('field.name'), value: ({ name }) => name, isName: true },
    { key: 'name2', label: t('basics.english'), value: ({ name2 }) => name2 },
    { key: 'icon', label: t('field.icon'), value: ({ icon }) => icon, isWideOnly: true },
  ]
  const templateColumns: Column<CourseTemplate>[] = [
    { key: 'templateName', label: t('field.name'), value: ({ templateName }) => templateName, isName: true },
    {
      key: 'category',
      label: t('field.courseCategoryId'),
      value: ({ fields }) =>
        options.category?.find(({ value }) => value === String(fields.courseCategoryId))?.label ?? '',
    },
  ]
  const divisionColumns: Column<OfficeDivision>[] = [
    { key: 'name', label: t('field.name'), value: ({ name }) => name, isName: true },
    { key: 'onlineOnly', label: t('field.onlineOnly'), value: ({ onlineOnly }) => yesNo(onlineOnly) },
  ]
  return (
    <OfficePage title={t('basics.title')} lead={t('basics.lead')}>
      <Row>
        <UnregisteredVenues places={places} />
        <UnregisteredInstructors instructors={instructors.data ?? []} />
      </Row>
      <Closures from={today} />
      <Part
        name="room"
        reading={rooms}
        columns={roomColumns}
        idOf={({ roomId }) => roomId}
        toSaved={saveRoom}
        toRemoved={removeRoom}
        more={{
          label: t('act.close-room'),
          begin: ({ roomId, name }) => setClosure({ roomIds: [roomId], name, from: today, to: today }),
        }}
      />
      <Part
        name="instructor"
        reading={instructors}
        columns={instructorColumns}
        idOf={({ email }) => email}
        toSaved={saveInstructor}
        more={{ label: t('act.set-absence'), begin: row => setAbsence(absenceOf(row, today, today)) }}
      />
      <Part
        name="template"
        reading={templates}
        columns={templateColumns}
        idOf={({ templateId }) => templateId}
        toSaved={row => saveTemplate(options, row)}
        toRemoved={removeTemplate}
      />
      <Part
        name="category"
        reading={categories}
        columns={categoryColumns}
        idOf={({ id }) => id}
        toSaved={saveCategory}
      />
      <Part
        name="division"
        reading={divisions}
        columns={divisionColumns}
        idOf={({ id }) => id}
        toSaved={saveDivision}
      />
    </OfficePage>
  )
}

function Part<Row>({ name, reading, columns, idOf, toSaved, toRemoved, more }: PartProps<Row>) {
  const { t } = useTranslation('office-programme')
  const nameOf = (row: Row) => columns[0]?.value(row) ?? ''
  const sorted = reading.data?.toSorted((a, b) => compareCellValues(nameOf(a), nameOf(b))) ?? null
  return (
    <Stack as="section" aria-labelledby={`basics-${name}`}>
      <Row justify="between">
        <Text as="h2" id={`basics-${name}`} flush>
          {t(`basics.${name}`)}
        </Text>
        <ActButton look="quiet" isPill begin={toSaved} />
      </Row>
      <ReadTable
        caption={t(`basics.${name}`)}
        name={name}
        columns={columns}
        idOf={idOf}
        reading={{ ...reading, data: sorted }}
        hasNoSearch={sorted !== null && sorted.length < 10}
        empty={t('basics.none')}
        actions={row => (
          <>
            <ActButton begin={() => toSaved(row)}>{t('lesson.change')}</ActButton>
            {more && <ActButton begin={() => more.begin(row)}>{more.label}</ActButton>}
            {toRemoved && <ActButton begin={() => toRemoved(row)}>{t('act.remove')}</ActButton>}
          </>
        )}
      />
    </Stack>
  )
}
