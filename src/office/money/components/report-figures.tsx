import { useTranslation } from 'react-i18next'
import { formatHeadlineFigures, HEADLINE_FIGURES, headlineFigures } from '#contract/office/headline-figures.ts'
import { useResource } from '#lib/resource.ts'
import { KeyFigures } from '#office/frame/components/key-figures.tsx'
import type { SeasonReport } from '../report-model.ts'

const LOADING = '…'
type Props = { report: SeasonReport | null; against: { id: string; name: string } | undefined }

/**
 * One line of figures: utilisation, people, no-shows and euros, each next to that of another season. While they are
 * loaded, their place is reserved.
 */
export function ReportFigures({ report, against }: Props) {
  const { t } = useTranslation('office-money')
  const other = useResource('getReport', against ? { query: { seasonId: against.id } } : null).data
  const now = report && formatHeadlineFigures(headlineFigures(report))
  const then = other && formatHeadlineFigures(headlineFigures(other))
  const figures = HEADLINE_FIGURES.map(key => {
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
