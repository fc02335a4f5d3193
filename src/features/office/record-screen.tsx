import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ChoiceField } from '#components/choice-field.tsx'
import { Field } from '#components/field.tsx'
import { piece } from '#components/pieces.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listRecord } from '#contract/office.ts'
import { useLanguage } from '#lib/use-language.ts'
import { DateTimeField } from './components/date-time-field.tsx'
import { DeskPage } from './components/desk-page.tsx'
import { ReadTable } from './components/read-table.tsx'
import type { Column } from './components/table-cells.tsx'
import { formatMoment } from './model.ts'
import { usePages } from './use-pages.ts'
import { useUrlParam } from './use-url-param.ts'

type RecordLine = ResponseOf<typeof listRecord>['items'][number]

const KIND_TEXTS = 'kind'

/** Screens of the objects an audit entry refers to. */
const PLACES: Record<string, string> = {
  courseId: '/office/courses/',
  fromCourseId: '/office/courses/',
  toCourseId: '/office/courses/',
  webUserId: '/office/people/',
  intoWebUserId: '/office/people/',
}

const partOf = ({ line }: RecordLine, name: 'objects' | 'counts') => Object.entries(Object(line[name]))
const objectsOf = (line: RecordLine) => partOf(line, 'objects')

export function RecordScreen() {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const [kind, setKind] = useUrlParam('kind')
  const [person, setPerson] = useUrlParam('person')
  const [course, setCourse] = useUrlParam('course')
  const [from, setFrom] = useUrlParam('from')
  const [to, setTo] = useUrlParam('to')
  const isNumber = (text: string) => /^[1-9]\d{0,8}$/.test(text)
  const query = {
    ...(kind && { kind }),
    ...(isNumber(person) && { person: Number(person) }),
    ...(isNumber(course) && { course: Number(course) }),
    ...(from && { from }),
    ...(to && { to }),
  }
  const reading = usePages('listRecord', query)
  const kinds = Object.entries(t(KIND_TEXTS, { returnObjects: true }) as Record<string, string>)
  const kindOf = (name: string) => kinds.find(([key]) => key === name)?.[1] ?? name
  const wordOf = (key: string) => t([`record.object.${key}`, key])
  const columns: Column<RecordLine>[] = [
    { key: 'at', label: t('record.at'), value: ({ at }) => at, show: ({ at }) => formatMoment(at, language) },
    { key: 'kind', label: t('record.kind'), value: line => kindOf(line.kind), isName: true },
    {
      key: 'actor',
      label: t('record.actor'),
      value: ({ actorId, program }) => actorId ?? program ?? t('record.command'),
      show: ({ actorId, program }) =>
        actorId === null ? (
          (program ?? t('record.command'))
        ) : (
          <Link href={`/office/people/${actorId}`}>{t('record.person', { id: actorId })}</Link>
        ),
    },
    {
      key: 'objects',
      label: t('record.objects'),
      value: line =>
        objectsOf(line)
          .map(([key, value]) => `${wordOf(key)} ${value}`)
          .join(', '),
      show: line => (
        <ul>
          {objectsOf(line).map(([key, value]) => (
            <li key={key}>
              {PLACES[key] ? (
                <Link href={`${PLACES[key]}${value}`}>{`${wordOf(key)} ${value}`}</Link>
              ) : (
                `${wordOf(key)} ${value}`
              )}
            </li>
          ))}
        </ul>
      ),
    },
    { key: 'text', label: t('record.text'), value: ({ text }) => text, isWideOnly: true },
    {
      key: 'told',
      label: t('record.told'),
      value: line => Number(partOf(line, 'counts').find(([name]) => name === 'told')?.[1] ?? 0),
      isWideOnly: true,
    },
  ]
  return (
    <DeskPage title={t('record.title')} lead={t('record.lead')}>
      <div className={piece('columns')}>
        <ChoiceField
          name="kind"
          label={t('record.kind')}
          value={kind}
          options={[{ value: '', label: t('record.all') }, ...kinds.map(([value, label]) => ({ value, label }))]}
          onChange={setKind}
        />
        <Field label={t('record.personNumber')}>
          <Input inputMode="numeric" value={person} onChange={event => setPerson(event.currentTarget.value)} />
        </Field>
        <Field label={t('record.courseNumber')}>
          <Input inputMode="numeric" value={course} onChange={event => setCourse(event.currentTarget.value)} />
        </Field>
        <DateTimeField kind="date" label={t('record.from')} value={from} onChange={setFrom} />
        <DateTimeField kind="date" label={t('record.to')} value={to} onChange={setTo} />
      </div>
      <ReadTable caption={t('record.title')} columns={columns} reading={reading} idOf={({ recordId }) => recordId} />
    </DeskPage>
  )
}
