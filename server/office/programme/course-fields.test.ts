import { expect, test } from 'vitest'
import { decodeCourseIndex } from '#contract/endpoints/course-index.ts'
import { type CourseIndex, type CourseTexts, getCourse, listCourses } from '#contract/endpoints/courses.ts'
import { listPublicCourses } from '#contract/endpoints/feeds.ts'
import { getOfficeCourse } from '#contract/office/office.ts'
import { COURSE_FORM_GROUPS } from '#contract/office/programme.ts'
import { entriesOf, keysOf, pick, recordFromKeys } from '#contract/records.ts'
import { COURSE_FIELDS, type IndexedFieldName, PUBLIC_FIELDS, TEXT_FIELDS } from '#contract/tables/course.ts'
import type { Field, FieldKind } from '#contract/tables/fields.ts'
import { exportTables, toCsv } from '#server/features/programme/export-programme.ts'
import { importProgramme } from '#server/features/programme/import-programme.ts'
import { sql } from '#server/platform/db/client.ts'
import { insertCategory, insertInstructor, insertSeason } from '#server/test/factories.ts'
import { openTestFolder } from '#server/test/import-folder.ts'
import { openTestOffice, type TestAct } from '#server/test/office.ts'

const { server, ...office } = await openTestOffice(['programme', 'bookings'])
const [season, category] = [await insertSeason(server.db), await insertCategory(server.db)]
const { email } = await insertInstructor(server.db, { familyName: 'Nah', givenName: 'Ida' })

type CourseName = keyof typeof COURSE_FIELDS
const fields = keysOf(COURSE_FIELDS)

/** A cell of courses.csv for each kind; texts contain the name of their field. */
const CELLS: Record<FieldKind, (name: string) => string> = {
  key: name => `${name}-1`,
  line: name => `Line of ${name}`,
  text: name => `Text of ${name}`,
  html: name => `<p>HTML of ${name}</p>`,
  url: name => `https://portal.example/${name}`,
  icon: () => 'yoga',
  picture: () => '',
  emails: () => email,
  count: () => '12',
  year: () => '1980',
  hours: () => '7.5',
  money: () => '12.50',
  weekday: () => '1',
  season: () => String(season.id),
  category: () => String(category.id),
  flag: () => 'true',
  date: name => (name === 'end' ? '2100-04-12' : '2100-03-01'),
  startOfDay: () => '2100-03-01 00:00',
  time: name => (name === 'endTime' ? '19:30' : '18:00'),
  moment: () => '2026-11-02 08:00',
}
const kindOf = (name: CourseName): FieldKind => COURSE_FIELDS[name].kind
const given = recordFromKeys(fields, name => CELLS[kindOf(name)](name))

const dateTime = (text: string) => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number)
  return { year, month, day, hour, minute, second: 0 }
}
/** The cell as responses show it. */
const shownAs = (name: CourseName): unknown => {
  const cell = given[name]
  const kind = kindOf(name)
  if (kind === 'time') return dateTime(`0-0-0 ${cell}`)
  if (kind === 'date' || kind === 'moment') return dateTime(cell)
  if (kind === 'flag') return cell === 'true'
  return /^[\d.]+$/.test(cell) ? Number(cell) : cell
}
const shown = <Name extends CourseName>(names: readonly Name[]) => recordFromKeys(names, shownAs)

const folder = await openTestFolder({ 'courses.csv': toCsv([fields, fields.map(name => given[name])]) })
expect(await importProgramme(server.db, { folder: folder.path, region: 'DE-NI' })).toMatchObject({ isDone: true })
const { id } = await server.db.one<{ id: number }>(sql`select id from courses`)

const readAtDesk = async (courseId: number) =>
  (await server.request(getOfficeCourse, { params: { id: courseId }, token: office.token })).body.columns

test('the export contains every column of the import', async () => {
  const { exported } = await exportTables(server.db, null)
  const [names = [], cells = []] = exported.find(({ file }) => file === 'courses.csv')?.rows ?? []
  expect(Object.fromEntries(names.map((name, index) => [name, cells[index]]))).toMatchObject(given)
})

test('the response contains every field, and index and texts contain their own', async () => {
  const hidden = fields.filter(
    name => kindOf(name) === 'emails' || 'isInternal' in COURSE_FIELDS[name] || name.startsWith('meeting'),
  )
  const { body: course } = await server.request(getCourse, { params: { id } })
  for (const name of fields.filter(name => 'isInternal' in COURSE_FIELDS[name])) expect(course).not.toHaveProperty(name)
  expect(course).toMatchObject(shown(fields.filter(name => !hidden.includes(name))))
  const index = (await server.request(listCourses, { query: { view: 'index' } })).body as CourseIndex
  const listed = fields.filter(
    (name): name is IndexedFieldName => 'view' in COURSE_FIELDS[name] && COURSE_FIELDS[name].view === 'index',
  )
  const teasers = recordFromKeys(
    listed.filter(name => kindOf(name) === 'html'),
    name => `HTML of ${name}`,
  )
  expect(decodeCourseIndex(index)).toEqual([expect.objectContaining({ ...shown(listed), ...teasers })])
  const texts = (await server.request(listCourses, { query: { view: 'texts' } })).body as CourseTexts[]
  expect(texts).toEqual([expect.objectContaining(shown(TEXT_FIELDS))])
  const [open] = (await server.request(listPublicCourses, {})).body
  expect(open).toMatchObject(pick(given, PUBLIC_FIELDS))
})

test('the office reads every field, its form contains each, and an action writes it', async () => {
  const columns = await readAtDesk(id)
  const placed = COURSE_FORM_GROUPS.flatMap(({ fields }) =>
    fields.flatMap(({ name, isPair }) => (isPair ? [name, `${name}2`] : [name])),
  )
  expect(placed.sort()).toEqual([...fields].sort())
  const values = { ...pick(columns, fields), number: 'NEW-1' }
  const created = await office.act({ kind: 'create-course', reason: 'same instructor', ...values } as TestAct)
  expect(created).toMatchObject({ status: 'Ok' })
  expect(await readAtDesk(Number(created.result.courseId))).toMatchObject(values)
})

test('an action changes every field', async () => {
  const changes = entriesOf(COURSE_FIELDS as Record<CourseName, Field>).flatMap(([name, { kind }]) =>
    ['line', 'text', 'html'].includes(kind) ? [[name, CELLS[kind](`${name} changed`)] as const] : [],
  )
  const { version } = (await server.request(getOfficeCourse, { params: { id }, token: office.token })).body
  const body = {
    kind: 'change-course',
    courseId: id,
    version,
    reason: 'same instructor',
    ...Object.fromEntries(changes),
  } as TestAct
  expect(await office.act(body)).toMatchObject({ status: 'Ok' })
  expect(await readAtDesk(id)).toMatchObject(Object.fromEntries(changes))
})
