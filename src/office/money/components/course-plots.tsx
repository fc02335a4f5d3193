import { useTranslation } from 'react-i18next'
import { sumBy } from '#contract/office/headline-figures.ts'
import { MIN_REPORTED_GROUP_SIZE } from '#contract/office/report.ts'
import { formatMoney, nameInLanguage, textInLanguage } from '#contract/words.ts'
import { useCourses } from '#features/courses/resource.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { categoryKey } from '#ui/category-color.ts'
import { ratioOrZero, type SeasonReport } from '../report-model.ts'
import { BarChart } from './charts.tsx'
import { Beeswarm, FlowDiagram } from './curve-charts.tsx'
import { Plot } from './plot.tsx'

/** Maximum number of courses shown in a chart; its table contains all of them. */
const MOST_COURSES = 8

const percent = (share: number) => `${Math.round(share * 100)} %`

/** Returns the names and icons of the categories in the public programme. */
function useCategories() {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const courses = useCourses()
  const byId = new Map(courses.map(course => [course.courseCategoryId, course]))
  return (id: number) => {
    const course = byId.get(id)
    const name = course && textInLanguage(language, course.courseCategory, course.courseCategory2)
    return { name: name ?? t('report.otherCategory'), color: categoryKey(course?.categoryIcon ?? '', id) }
  }
}

/** Chart of the percentage of seats that were taken when the lessons began, with one dot per course. */
export function UtilisationPlot({ rows }: { rows: SeasonReport['utilisation'] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const categoryOf = useCategories()
  const held = rows.filter(({ places }) => places > 0)
  const dots = held.map(row => ({
    key: row.courseId,
    value: ratioOrZero(row.taken, row.places),
    row: categoryOf(row.courseCategoryId).name,
    category: categoryOf(row.courseCategoryId).color,
  }))
  const names = [...new Set(dots.map(({ row }) => row))].sort((a, b) => a.localeCompare(b, language))
  return (
    <Plot
      title={t('report.utilisation')}
      unit={t('report.utilisationUnit')}
      isWide
      table={{
        columns: [
          t('field.course'),
          t('report.category'),
          t('report.lessons'),
          t('report.places'),
          t('report.taken'),
          t('report.percent'),
        ],
        rows: held.map(row => [
          `${row.number} ${nameInLanguage(language, row)}`,
          categoryOf(row.courseCategoryId).name,
          row.lessons,
          row.places,
          row.taken,
          Math.round(ratioOrZero(row.taken, row.places) * 100),
        ]),
      }}
    >
      <Beeswarm rows={names} dots={dots} axis={percent} />
    </Plot>
  )
}

/** Chart of people on waiting lists who never got a seat, relative to the number of seats. */
export function WaitingListPlot({ rows }: { rows: SeasonReport['waiting'] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const waited = rows.filter(({ waiting }) => waiting > 0)
  const pressureOf = ({ waiting, places }: (typeof rows)[number]) => ratioOrZero(waiting, places)
  const sorted = waited.toSorted((a, b) => pressureOf(b) - pressureOf(a))
  return (
    <Plot
      title={t('report.pressure')}
      unit={t('report.pressureUnit')}
      table={{
        columns: [t('field.course'), t('report.places'), t('report.waiting'), t('report.perPlace')],
        rows: sorted.map(row => [
          `${row.number} ${nameInLanguage(language, row)}`,
          row.places,
          row.waiting,
          pressureOf(row),
        ]),
      }}
    >
      <BarChart
        bars={sorted.slice(0, MOST_COURSES).map(row => ({
          label: nameInLanguage(language, row),
          value: pressureOf(row),
          text: `${row.waiting} / ${row.places}`,
        }))}
      />
    </Plot>
  )
}

/** Chart of the waiting-list positions at which most people fared otherwise than their odds had said. */
export function OddsPlot({ seasonId }: { seasonId: string }) {
  const { t } = useTranslation('office-money')
  const categoryOf = useCategories()
  const items = useResource('listOddsOutcomes', { query: { seasonId } }).data?.items ?? []
  const wrongBy = (row: (typeof items)[number]) =>
    Math.abs(ratioOrZero(row.placed, row.people) - ratioOrZero(row.placedBefore, row.peopleBefore))
  const sorted = items.toSorted((a, b) => wrongBy(b) - wrongBy(a))
  const of = (placed: number, people: number) => t('report.oddsOf', { placed, people })
  const labelOf = (row: (typeof items)[number]) =>
    t('report.oddsAt', { category: categoryOf(row.courseCategoryId).name, position: row.position })
  if (items.length === 0) return null
  return (
    <Plot
      title={t('report.odds')}
      unit={t('report.oddsUnit')}
      table={{
        columns: [t('report.oddsPosition'), t('report.oddsBefore'), t('report.oddsNow')],
        rows: sorted.map(row => [labelOf(row), of(row.placedBefore, row.peopleBefore), of(row.placed, row.people)]),
      }}
    >
      <BarChart
        max={1}
        bars={sorted.slice(0, MOST_COURSES).map(row => ({
          label: labelOf(row),
          value: wrongBy(row),
          text: percent(wrongBy(row)),
        }))}
      />
    </Plot>
  )
}

/** Chart of unexcused absences as a percentage of all recorded attendance. */
export function NoShowsPlot({ rows }: { rows: SeasonReport['noShows'] }) {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const recorded = rows.filter(({ present, absent }) => present + absent > 0)
  const rateOf = ({ present, absent }: (typeof rows)[number]) => ratioOrZero(absent, present + absent)
  const sorted = recorded.toSorted((a, b) => rateOf(b) - rateOf(a))
  const [absent, present] = [sumBy(recorded, row => row.absent), sumBy(recorded, row => row.present)]
  return (
    <Plot
      title={t('report.noShows', {
        percent: recorded.length === 0 ? '–' : percent(ratioOrZero(absent, absent + present)),
      })}
      unit={t('report.noShowsUnit')}
      table={{
        columns: [t('field.course'), t('report.present'), t('report.absent'), t('report.percent')],
        rows: sorted.map(row => [
          `${row.number} ${nameInLanguage(language, row)}`,
          row.present,
          row.absent,
          Math.round(rateOf(row) * 100),
        ]),
      }}
    >
      <BarChart
        max={1}
        bars={sorted.slice(0, MOST_COURSES).map(row => ({
          label: nameInLanguage(language, row),
          value: rateOf(row),
          text: percent(rateOf(row)),
        }))}
      />
    </Plot>
  )
}

/** Charts of the participants by age, status and division. Small groups are hidden. */
export function ParticipantsPlots({
  participants: { total, age, status, division },
}: Pick<SeasonReport, 'participants'>) {
  const { t } = useTranslation(['office-money', 'accounts'])
  const hidden = t('report.hidden')
  const groups = {
    age: age.map(({ from, count }) => ({
      label: from === null ? t('report.unknown') : t('report.ageBand', { from, to: from + 9 }),
      count,
    })),
    status: status.map(({ employeeStatus, count }) => ({
      label: employeeStatus === null ? t('report.unknown') : t(`accounts:employeeStatus.${employeeStatus}`),
      count,
    })),
    division: division.map(({ name, count }) => ({ label: name || t('report.unknown'), count })),
  }
  return (['age', 'status', 'division'] as const).map(key => (
    <Plot
      key={key}
      title={t(`report.by.${key}`)}
      unit={t('report.participantsUnit', { total: total ?? hidden, min: MIN_REPORTED_GROUP_SIZE })}
      table={{
        columns: [t(`report.group.${key}`), t('report.people')],
        rows: groups[key].map(({ label, count }) => [label, count ?? hidden]),
      }}
    >
      <BarChart
        bars={groups[key].map(({ label, count }) => ({
          label,
          value: count ?? 0,
          text: count === null ? hidden : String(count),
        }))}
      />
    </Plot>
  ))
}

const FLOW = ['paid', 'payrollOpen', 'invoicedOpen', 'unbilled', 'waived', 'refunded'] as const
const FLOW_COLORS = {
  paid: 'var(--link)',
  payrollOpen: 'var(--sun)',
  invoicedOpen: 'var(--line-orange)',
  unbilled: 'var(--signal)',
  waived: 'var(--to-do)',
  refunded: 'var(--line-blue)',
} as const
const BILLED = ['charged', ...FLOW, 'payroll', 'invoiced'] as const

/** Flow diagram of the amount charged and its parts. */
export function MoneyPlot({ money }: Pick<SeasonReport, 'money'>) {
  const { t } = useTranslation('office-money')
  const { payrollOpen = 0, invoicedOpen = 0 } = money
  const amounts = { ...money, payrollOpen, invoicedOpen, unbilled: money.open - payrollOpen - invoicedOpen }
  return (
    <Plot
      title={t('report.money')}
      unit={t('report.moneyUnit', {
        charged: formatMoney(money.charged),
        payroll: formatMoney(money.payroll),
        invoiced: formatMoney(money.invoiced),
      })}
      table={{
        columns: [t('kind'), t('amount')],
        rows: money.charged === 0 ? [] : BILLED.map(key => [t(`total.${key}`), amounts[key]]),
      }}
    >
      <FlowDiagram
        parts={FLOW.map(key => ({
          label: t(`total.${key}`),
          value: Math.max(0, amounts[key]),
          color: FLOW_COLORS[key],
        }))}
      />
    </Plot>
  )
}
