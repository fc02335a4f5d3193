import { useTranslation } from 'react-i18next'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getSettlement } from '#contract/office/money.ts'
import { formatMoney, nameInLanguage } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import type { ActRequest } from '#office/frame/act-store.ts'
import { ActButton } from '#office/frame/components/act-button.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficeTable } from '#office/frame/components/office-table.tsx'
import { RecordLink } from '#office/frame/components/record-link.tsx'
import type { Column } from '#office/frame/components/table-cells.tsx'
import { formatDateTime } from '#office/people/people-model.ts'
import { Row, Text } from '#ui/layout.tsx'
import { repriceCourse } from './course-money-acts.tsx'
import classes from './money.module.css'
import { decideAttendance, settle } from './money-acts.tsx'
import { OpenAndExcludedLessons } from './uncounted-lessons.tsx'

type SettlementData = ResponseOf<typeof getSettlement>
type Line = SettlementData['lines'][number]

/** The settlement of a course as a part of its page. */
export function CourseSettlement({ courseId }: { courseId: number }) {
  const reading = useResource('getSettlement', { params: { id: courseId } })
  if (reading.data === null) return <LoadingState reading={reading} />
  return (
    <>
      <Row justify="between">
        <Text flush>
          <SettlementState read={reading.data} />
        </Text>
        <Row>
          <SettleAction read={reading.data} />
        </Row>
      </Row>
      <SettlementLines read={reading.data} />
    </>
  )
}

type Props = { read: SettlementData }

const stateOf = ({ isOutdated, settlement }: SettlementData) =>
  isOutdated ? 'outdated' : settlement === 0 ? 'open' : 'settled'

export function SettlementState({ read }: Props) {
  const { t } = useTranslation('office-money')
  const { settledAt } = read
  return <>{t(`course.${stateOf(read)}`, { at: settledAt === null ? '' : formatDateTime(settledAt) })}</>
}

function SettleAction({ read }: Props) {
  const { t } = useTranslation('office-money')
  if (stateOf(read) === 'settled') return null
  return (
    <ActButton look="primary" isPill begin={() => settle([read])}>
      {t('settle.act', { count: 1 })}
    </ActButton>
  )
}

export function SettlementActions({ read }: Props) {
  return (
    <>
      <SettleAction read={read} />
      <ActButton look="quiet" isPill begin={() => repriceCourse(read, read.prices)} />
    </>
  )
}

export function SettlementLines({ read }: Props) {
  const { t } = useTranslation('office-money')
  const columns = useLineColumns()
  return (
    <>
      <OpenAndExcludedLessons read={read} />
      <OfficeTable
        caption={t('course.lines')}
        columns={columns}
        rows={read.lines}
        idOf={({ webUserId, outcome }) => `${webUserId} ${outcome}`}
        actions={line => <LineActions course={read} line={line} />}
      />
    </>
  )
}

/** Columns of the settlement. On phones, attendance and result are shown below the name. */
function useLineColumns(): Column<Line>[] {
  const { t } = useTranslation('office-money')
  const sayAmounts = ({ amounts }: Line) =>
    Object.entries(amounts)
      .map(([kind, amount]) => `${t(`entry.${kind}`)} ${formatMoney(amount)}`)
      .join(', ')
  return [
    {
      key: 'name',
      label: t('field.person'),
      value: ({ name }) => name,
      show: line => (
        <>
          <RecordLink kind="people" id={line.webUserId}>
            {line.name}
          </RecordLink>
          <span className={classes.narrow}>{[t('course.of', line), t(`outcome.${line.outcome}`)].join(' · ')}</span>
        </>
      ),
      isName: true,
    },
    {
      key: 'present',
      label: t('course.present'),
      value: ({ present }) => present,
      show: ({ present, counted }) => t('course.of', { present, counted }),
      isWideOnly: true,
    },
    { key: 'excused', label: t('course.excused'), value: ({ excused }) => excused, isWideOnly: true },
    { key: 'needed', label: t('course.needed'), value: ({ needed }) => needed, isWideOnly: true },
    {
      key: 'outcome',
      label: t('course.outcome'),
      value: line => [t(`outcome.${line.outcome}`), sayAmounts(line)].filter(Boolean).join(': '),
      show: line => (
        <>
          {t(`outcome.${line.outcome}`)}
          <small>{sayAmounts(line)}</small>
        </>
      ),
      isWideOnly: true,
    },
    { key: 'sum', label: t('sum'), value: ({ sum }) => sum, show: ({ sum }) => formatMoney(sum) },
  ]
}

/** Buttons for issuing a certificate and for deciding whether a person with too few lessons attended regularly. */
function LineActions({ course, line }: { course: SettlementData; line: Line }) {
  const { t } = useTranslation('office-money')
  return (
    <>
      <CertificateAction course={course} line={line} />
      {line.outcome === 'undecided' &&
        [true, false].map(isRegular => (
          <ActButton
            key={`${isRegular}`}
            aria-label={`${t(isRegular ? 'undecided.regular' : 'undecided.notRegular')}: ${line.name}`}
            begin={() => decideAttendance(course, line, isRegular)}
          />
        ))}
    </>
  )
}

/** Button that issues a certificate of attendance at the request of a person who has earned one, or revokes it. */
function CertificateAction({ course, line }: { course: SettlementData; line: SettlementData['lines'][number] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const { webUserId, name, certificate } = line
  if (course.settlement === 0 || certificate === null) return null
  const { code } = certificate
  const about = `${name}: ${nameInLanguage(language, course)}`
  const title = t(code === null ? 'certificate.issue' : 'certificate.revoke')
  const begin = (): ActRequest => ({
    act:
      code === null
        ? { kind: 'issue-certificates', courseId: course.courseId, webUserId }
        : { kind: 'revoke-certificate', code },
    title,
    about,
  })
  return <ActButton aria-label={`${title}: ${name}`} begin={begin} />
}
