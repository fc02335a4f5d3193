import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { OFFICE_LISTS } from '#contract/office-people.ts'
import { useSeasons } from '#features/courses/resource.ts'
import { DeskPage } from '#features/office/components/desk-page.tsx'
import { ReadingState } from '#features/office/components/reading-state.tsx'
import { SeasonField } from '#features/office/components/season-field.tsx'
import { useUrlParam } from '#features/office/use-url-param.ts'
import { api, type OptionsOf } from '#lib/api.ts'
import { messageOf } from '#lib/api-error.ts'
import { withProgress } from '#lib/progress.ts'
import { useResource } from '#lib/resource.ts'
import { saveFile } from '#lib/save-file.ts'
import { showError } from '#lib/toast.ts'

type ListFile = OptionsOf<'getOfficeList'>['params']['file']

import { UtilisationChart } from './components/utilisation-chart.tsx'

const FORMATS = ['xlsx', 'csv'] as const

export function ListsScreen() {
  const { t } = useTranslation('office-people')
  const seasons = useSeasons(state => state.data)
  useEffect(() => void useSeasons.load(), [])
  const [season, setSeason] = useUrlParam('season')
  const [underWay, setUnderWay] = useState<ListFile | null>(null)
  const seasonId = season === '' ? null : Number(season)
  const reading = useResource('getUtilisation', seasonId === null ? {} : { query: { seasonId } })
  const download = async (wanted: ListFile) => {
    setUnderWay(wanted)
    try {
      const file = await withProgress(
        api.getOfficeList({ params: { file: wanted }, ...(seasonId !== null && { query: { seasonId } }) }),
      )
      saveFile(file, file.name)
    } catch (error) {
      showError(messageOf(error, t('office:noAnswer')))
    } finally {
      setUnderWay(null)
    }
  }
  return (
    <DeskPage title={t('lists.title')} lead={t('lists.lead')}>
      <SeasonField label={t('lists.season')} seasons={seasons} value={season} onChange={setSeason} />
      <ul className={piece('bare', 'lined')}>
        {OFFICE_LISTS.map(list => (
          <li key={list} className={piece('spread', 'padded')}>
            <p className={piece('grow', 'flush')}>
              <b>{t(`lists.name.${list}`)}</b>
              <br />
              <span className={piece('muted', 'flush')}>{t(`lists.about.${list}`)}</span>
            </p>
            <span className={piece('row')}>
              {FORMATS.map(format => (
                <Button
                  key={format}
                  look="quiet"
                  aria-label={t('lists.label', { format: t(`lists.format.${format}`), name: t(`lists.name.${list}`) })}
                  aria-disabled={underWay !== null}
                  onClick={() => underWay === null && void download(`${list}.${format}`)}
                >
                  {t(`lists.format.${format}`)}
                </Button>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {reading.data === null ? <ReadingState reading={reading} /> : <UtilisationChart data={reading.data} />}
    </DeskPage>
  )
}
