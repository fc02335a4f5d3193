import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { findReportSeasons } from '#contract/office/headline-figures.ts'
import { formatDate, formatTime, nameInLanguage } from '#contract/words.ts'
import { useCourseIndex, useSeasons } from '#features/courses/resource.ts'
import { fromLocalTimeMs, portalDateTimeAt } from '#lib/format.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { useToday } from '#lib/use-now.ts'
import { startAct } from '#office/frame/act-store.ts'
import { FilterSelect } from '#office/frame/components/filter-chips.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { formatDateTime } from '#office/people/people-model.ts'
import { Button } from '#ui/button.tsx'
import { Stack } from '#ui/layout.tsx'
import { EmptyState } from '#ui/state-panel.tsx'
import {
  MoneyPlot,
  NoShowsPlot,
  OddsPlot,
  ParticipantsPlots,
  UtilisationPlot,
  WaitingListPlot,
} from './components/course-plots.tsx'
import { PlotControls, PlotGrid } from './components/plot.tsx'
import { ReportFigures } from './components/report-figures.tsx'
import { AttendancePlot, BookingsPlot, CancellationsPlot, DemandPlot, RoomsPlot } from './components/time-plots.tsx'

/** Value of the comparison that switches it off. */
const ALONE = 'none'

/** Returns the selected season, or else the latest one that has begun, and the season before. */
function useReportSeasons() {
  const seasons = useSeasons(state => state.data)
  const isLoading = useSeasons(state => state.phase === 'loading')
  useEffect(() => {
    void useSeasons.load()
    void useCourseIndex.load()
  }, [])
  const [chosen] = useUrlParam('season')
  const today = fromLocalTimeMs(useToday())
  return { seasons, isLoading, ...findReportSeasons(seasons, today, Number(chosen)) }
}

/** Report on a season: ten plots, each with the values it shows. */
export function ReportScreen() {
  const { t } = useTranslation('office-money')
  const language = useLanguage()
  const { seasons, season, before, isLoading } = useReportSeasons()
  const [chosen] = useUrlParam('against')
  const seasonId = season ? String(season.id) : ''
  const options = seasons.map(one => ({ value: String(one.id), label: nameInLanguage(language, one) }))
  const others = options.filter(({ value }) => value !== seasonId)
  // By default, the figures are compared with those of the season before.
  const initial = before ? String(before.id) : ALONE
  const compared = others.find(({ value }) => value === (chosen || initial))
  const reading = useResource(
    'getReport',
    season ? { query: { seasonId, ...(compared && { against: compared.value }) } } : null,
  )
  const report = reading.data
  const asOf = reading.asOf === null ? null : portalDateTimeAt(reading.asOf)
  if (!season && !isLoading)
    return (
      <OfficePage title={t('report.title')}>
        <EmptyState title={t('report.noSeason')} />
      </OfficePage>
    )
  const title = season ? t('report.of', { season: nameInLanguage(language, season) }) : t('report.title')
  const close = () =>
    startAct<'close-season'>({
      act: { kind: 'close-season', seasonId: Number(seasonId) },
      title: t('report.close'),
      about: season ? nameInLanguage(language, season) : '',
      details: () => <p>{t('report.closeAbout')}</p>,
    })
  return (
    <OfficePage
      title={title}
      lead={
        report &&
        (report.closedAt
          ? t('report.closedAt', { at: formatDateTime(report.closedAt) })
          : asOf && t('report.asOf', { at: `${formatDate(asOf)}, ${formatTime(asOf)}` }))
      }
      actions={
        <PlotControls>
          <FilterSelect label={t('field.season')} name="season" options={options} initial={seasonId} />
          <FilterSelect
            label={t('report.against')}
            name="against"
            options={[{ value: ALONE, label: t('report.alone') }, ...others]}
            initial={initial}
          />
          {report && !report.closedAt && (
            <Button look="quiet" isPill onClick={close}>
              {t('report.close')}
            </Button>
          )}
          <Button look="plain" isPill onClick={() => window.print()}>
            {t('report.print')}
          </Button>
        </PlotControls>
      }
    >
      {report === null ? (
        <LoadingState reading={reading} />
      ) : (
        <Stack>
          <ReportFigures report={report} against={compared && { id: compared.value, name: compared.label }} />
          <PlotGrid>
            <UtilisationPlot rows={report.utilisation} />
            <DemandPlot rows={report.demand} />
            <RoomsPlot rows={report.rooms} />
            <WaitingListPlot rows={report.waiting} />
            <OddsPlot seasonId={seasonId} />
            <BookingsPlot
              bookings={report.bookings}
              season={season ? nameInLanguage(language, season) : ''}
              against={compared?.label ?? ''}
            />
            <AttendancePlot rows={report.attendance} />
            <NoShowsPlot rows={report.noShows} />
            <CancellationsPlot rows={report.cancellations} />
            <ParticipantsPlots participants={report.participants} />
            <MoneyPlot money={report.money} />
          </PlotGrid>
        </Stack>
      )}
    </OfficePage>
  )
}
