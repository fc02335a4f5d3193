import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { listRecord } from '#contract/office/office.ts'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { FieldGrid, Text } from '#ui/layout.tsx'
import { DateTimeField } from './components/date-time-field.tsx'
import { OfficePage } from './components/office-page.tsx'
import { ReadTable } from './components/read-table.tsx'
import { RecordLink } from './components/record-link.tsx'
import { CourseSearch, PersonSearch } from './components/search-picker.tsx'
import type { Column } from './components/table-cells.tsx'
import { formatWallClockTime, hasAnyRight } from './model.ts'
import { useAuditLogWords } from './use-audit-log-words.ts'
import { usePaginatedList } from './use-pages.ts'
import type { RecordKind } from './use-panel.ts'
import { useUrlParam } from './use-url-param.ts'

export type AuditLogLine = ResponseOf<typeof listRecord>['items'][number]

const KIND_TEXTS = 'kind'

/** The kind of record that a field of the audit log links to. Other fields have no screen. */
const RECORD_KINDS: Record<string, RecordKind> = {
  courseId: 'courses',
  fromCourseId: 'courses',
  toCourseId: 'courses',
  webUserId: 'people',
  intoWebUserId: 'people',
}

const partOf = ({ line }: AuditLogLine, name: 'objects' | 'counts') => Object.entries(Object(line[name]))

/** Describes who performed an action: a person, a program, or a command. A deleted account is shown by its number. */
function useActor() {
  const { t } = useTranslation('office')
  return ({ actor, actorId, program }: AuditLogLine) =>
    actor || program || (actorId === null ? t('record.command') : t('record.person', { id: actorId }))
}

function useColumns(): Column<AuditLogLine>[] {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const actorOf = useActor()
  const { changesOf, formatValue } = useAuditLogWords()
  const kinds = t(KIND_TEXTS, { returnObjects: true }) as Record<string, string>
  const kindOf = (name: string) => kinds[name] ?? name
  const targetsOf = (line: AuditLogLine) =>
    partOf(line, 'objects').map(([key, value]) => ({
      key,
      word: t([`record.object.${key}`, key]),
      text: line.names[key] ?? formatValue(key, value),
      kind: RECORD_KINDS[key],
      id: Number(value),
    }))
  return [
    { key: 'at', label: t('record.at'), value: ({ at }) => at, show: ({ at }) => formatWallClockTime(at, language) },
    { key: 'kind', label: t('record.kind'), value: line => kindOf(line.kind), isName: true, isLong: true },
    {
      key: 'actor',
      label: t('record.actor'),
      value: actorOf,
      show: line => (
        <RecordLink kind="people" id={line.actor ? line.actorId : null}>
          {actorOf(line)}
        </RecordLink>
      ),
      fold: actorOf,
    },
    {
      key: 'objects',
      label: t('record.objects'),
      value: line =>
        [
          ...targetsOf(line).map(({ word, text }) => `${word}: ${text}`),
          ...line.concerned.map(({ name }) => name),
        ].join(', '),
      show: line => (
        <ul>
          {targetsOf(line).map(({ key, word, text, kind, id }) => (
            <li key={key}>
              {word}:{' '}
              {kind ? (
                <RecordLink kind={kind} id={id}>
                  {text}
                </RecordLink>
              ) : (
                text
              )}
            </li>
          ))}
          {line.concerned
            .filter(({ name }) => !Object.values(line.names).includes(name))
            .map(({ id, name }) => (
              <li key={id}>
                <RecordLink kind="people" id={id}>
                  {name}
                </RecordLink>
              </li>
            ))}
        </ul>
      ),
    },
    {
      key: 'changes',
      label: t('record.changes'),
      value: line =>
        changesOf(line)
          .map(({ label, before, after }) => `${label}: ${before} → ${after}`)
          .join(', '),
      show: line => <RecordChanges line={line} />,
      fold: line => changesOf(line).length > 0 && <RecordChanges line={line} />,
    },
    { key: 'text', label: t('record.text'), value: ({ text }) => text, fold: ({ text }) => text, isLong: true },
    {
      key: 'told',
      label: t('record.told'),
      value: line => Number(partOf(line, 'counts').find(([name]) => name === 'told')?.[1] ?? 0),
      isWideOnly: true,
    },
  ]
}

export function AuditLogScreen() {
  const { t } = useTranslation('office')
  const rights = useSession(state => state.session?.rights) ?? []
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
  const reading = usePaginatedList('listRecord', query)
  const columns = useColumns()
  const kinds = Object.entries(t(KIND_TEXTS, { returnObjects: true }) as Record<string, string>)
  const rows = reading.data ?? []
  const personName = rows.flatMap(({ concerned }) => concerned).find(({ id }) => id === Number(person))?.name
  const courseName = rows.find(({ line }) => Object(line.objects).courseId === Number(course))?.names.courseId
  return (
    <OfficePage title={t('record.title')} lead={t('record.lead')}>
      <FieldGrid style={{ '--column': '176px' }}>
        <ChoiceField
          name="kind"
          label={t('record.kind')}
          value={kind}
          options={[{ value: '', label: t('record.all') }, ...kinds.map(([value, label]) => ({ value, label }))]}
          onChange={setKind}
        />
        {(person !== '' || hasAnyRight(rights, ['bookings', 'owner'])) && (
          <PersonSearch
            label={t('record.personFilter')}
            chosen={person && (personName ?? t('record.person', { id: person }))}
            onChoose={id => setPerson(String(id))}
            onClear={() => setPerson('')}
          />
        )}
        {(course !== '' || hasAnyRight(rights, ['programme', 'bookings'])) && (
          <CourseSearch
            label={t('record.courseFilter')}
            chosen={course && (courseName ?? t('record.course', { id: course }))}
            onChoose={id => setCourse(String(id))}
            onClear={() => setCourse('')}
          />
        )}
        <DateTimeField kind="date" label={t('record.from')} value={from} onChange={setFrom} />
        <DateTimeField kind="date" label={t('record.to')} value={to} onChange={setTo} />
      </FieldGrid>
      <ReadTable caption={t('record.title')} columns={columns} reading={reading} idOf={({ recordId }) => recordId} />
    </OfficePage>
  )
}

/** Shortens hashes to their beginning; the export contains them in full. */
const shorten = (text: string) => (/^[\da-f]{64}$/.test(text) ? `${text.slice(0, 12)}…` : text)

function RecordChanges({ line }: { line: AuditLogLine }) {
  const changes = useAuditLogWords().changesOf(line)
  return (
    <ul>
      {changes.map(({ key, label, before, after }) => (
        <li key={key}>
          <Text as="span" tone="muted">
            {label}:
          </Text>{' '}
          {shorten(before)} → {shorten(after)}
        </li>
      ))}
    </ul>
  )
}
