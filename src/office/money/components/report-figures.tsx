import { useTranslation } from 'react-i18next'
import { formatMoney } from '#contract/words.ts'
import { useResource } from '#lib/resource.ts'
import { KeyFigures } from '#office/frame/components/key-figures.tsx'
import { formatNumber } from '#office/frame/model.ts'
import { headlineFigures, type SeasonReport } from '../report-model.ts'

const FIGURES = ['utilisation', 'people', 'noShows', 'charged'] as const
const LOADING = '…'
type Figures = ReturnType<typeof headlineFigures>
type Props = { report: SeasonReport | null; against: { id: string; name: string } | undefined }

/**
 * One line of figures: utilisation, people, no-shows and euros, each next to that of another season. While they are
 * loaded, their place is reserved.
 */
export function ReportFigures({ report, against }: Props) {
  const { t } = useTranslation('office-money')
  const other = useResource('getReport', against ? { query: { seasonId: against.id } } : null).data
  const percent = (value: number | null) =>
    value === null ? '–' : formatNumber(value, { style: 'percent', maximumFractionDigits: 0 })
  const wordsOf = ({ utilisation, people, noShows, charged }: Figures) => ({
    utilisation: percent(utilisation),
    people: people === null ? '–' : formatNumber(people),
    noShows: percent(noShows),
    charged: charged === null ? '–' : formatMoney(charged),
  })
  const now = report && wordsOf(headlineFigures(report))
  const then = other && wordsOf(headlineFigures(other))
  const figures = FIGURES.map(key => {
    const label = t(`report.figure.${key}`)
    return {
      key,
      value: now?.[key] ?? LOADING,
      label: against
        ? t('report.figure.against', { label, value: then?.[key] ?? LOADING, season: against.name })
        : label,
    }
  })
  return <KeyFigures label={t('report.figure.title')} isMoney figures={figures} />
}

type SeasonFiguresProps = { seasonId: string; against: Props['against'] }

/** The figures of a season on a screen that does not show its report. */
export function SeasonFigures({ seasonId, against }: SeasonFiguresProps) {
  const report = useResource('getReport', { query: { seasonId } }).data
  return <ReportFigures report={report} against={against} />
}
