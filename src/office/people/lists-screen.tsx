import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OFFICE_LIST_NAMES } from '#contract/office/people.ts'
import { nameInLanguage } from '#contract/words.ts'
import { useSeasons } from '#features/courses/resource.ts'
import { useSession } from '#features/session/store.ts'
import { api, type EndpointOptions } from '#lib/api.ts'
import { useResource } from '#lib/resource.ts'
import { useLanguage } from '#lib/use-language.ts'
import { DateTimeField } from '#office/frame/components/date-time-field.tsx'
import { FilterSelect } from '#office/frame/components/filter-chips.tsx'
import { LoadingState } from '#office/frame/components/loading-state.tsx'
import { OfficePage } from '#office/frame/components/office-page.tsx'
import { hasAnyRight } from '#office/frame/model.ts'
import { useDownload } from '#office/frame/use-download.ts'
import { useUrlParam } from '#office/frame/use-url-param.ts'
import { Button } from '#ui/button.tsx'
import { Box, FieldGrid, Row, Stack, Text } from '#ui/layout.tsx'

type ListFile = EndpointOptions<'getOfficeList'>['params']['file']

import { UtilisationChart } from './components/utilisation-chart.tsx'

const FORMATS = ['xlsx', 'csv'] as const

export function ListsScreen() {
  const { t } = useTranslation('office-people')
  const seasons = useSeasons(state => state.data)
  useEffect(() => void useSeasons.load(), [])
  const language = useLanguage()
  const [season] = useUrlParam('season')
  const seasonId = season === '' ? null : Number(season)
  const reading = useResource('getUtilisation', seasonId === null ? {} : { query: { seasonId } })
  const download = useDownload()
  const mayBill = useSession(state => hasAnyRight(state.session?.rights ?? [], ['billing']))
  const save = (file: ListFile) =>
    download(() => api.getOfficeList({ params: { file }, ...(seasonId !== null && { query: { seasonId } }) }))
  const [date, setDate] = useState('')
  const saveGate = (format: 'pdf' | 'csv') => {
    const wanted = date === '' ? {} : { query: { date } }
    return download(() => (format === 'pdf' ? api.getGateList(wanted) : api.getGateTable(wanted)))
  }
  return (
    <OfficePage
      title={t('lists.title')}
      lead={t('lists.lead')}
      actions={
        <FilterSelect
          label={t('lists.season')}
          name="season"
          options={seasons.map(one => ({ value: String(one.id), label: nameInLanguage(language, one) }))}
        />
      }
    >
      <Box as="ul" bare divided>
        {OFFICE_LIST_NAMES.filter(list => mayBill || list !== 'yearly').map(list => (
          <Row as="li" key={list} justify="between" py="s">
            <Text grow flush>
              <b>{t(`lists.name.${list}`)}</b>
              <br />
              <Text as="span" tone="muted" flush>
                {t(`lists.about.${list}`)}
              </Text>
            </Text>
            <Row as="span">
              {FORMATS.map(format => (
                <Button
                  key={format}
                  look="quiet"
                  aria-label={t('lists.label', { format: t(`lists.format.${format}`), name: t(`lists.name.${list}`) })}
                  onClick={() => void save(`${list}.${format}`)}
                >
                  {t(`lists.format.${format}`)}
                </Button>
              ))}
            </Row>
          </Row>
        ))}
      </Box>
      <Stack as="section" gap="s" aria-labelledby="gate-list">
        <h2 id="gate-list">{t('lists.gate.title')}</h2>
        <Text tone="muted" flush>
          {t('lists.gate.about')}
        </Text>
        <FieldGrid>
          <DateTimeField kind="date" label={t('lists.gate.day')} value={date} onChange={setDate} />
          <Row as="span">
            {(['pdf', 'csv'] as const).map(format => (
              <Button
                key={format}
                look="quiet"
                aria-label={t('lists.label', { format: t(`lists.format.${format}`), name: t('lists.gate.title') })}
                onClick={() => void saveGate(format)}
              >
                {t(`lists.format.${format}`)}
              </Button>
            ))}
          </Row>
        </FieldGrid>
      </Stack>
      {reading.data === null ? <LoadingState reading={reading} /> : <UtilisationChart data={reading.data} />}
    </OfficePage>
  )
}
