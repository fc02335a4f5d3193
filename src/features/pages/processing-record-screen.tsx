import { useTranslation } from 'react-i18next'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { DataRows } from './components/data-rows.tsx'
import { LongText } from './components/long-text.tsx'
import { PrintButton } from './components/print-button.tsx'
import { deviceDataRows, type PrivacyDataRow, processingRows, type Translate } from './data-map-model.ts'
import { useMultiLineTexts, useTextPlaceholderValues } from './use-text-values.ts'

const SECTIONS = ['controller', 'purpose', 'data', 'device', 'recipients', 'measures']

/** Record of processing activities (Art. 30 GDPR), from the data map by which the portal deletes. */
export function ProcessingRecordScreen() {
  const { t } = useTranslation(['processing-record', 'privacy', 'shell'])
  const facts = useTextPlaceholderValues()
  const linesOf = useMultiLineTexts('processing-record')
  const say: Translate = (key, values = {}) => t(`privacy:${key}`, { ...facts, ...values })
  const record: Translate = (key, values = {}) => t(key, values)
  const tables: Record<string, PrivacyDataRow[]> = { data: processingRows(say, record), device: deviceDataRows(say) }
  const sections = SECTIONS.map(id => ({
    id,
    more: tables[id] && <DataRows rows={tables[id]} />,
    title: t(`section.${id}.title`),
    lines: linesOf(`section.${id}.text`),
  }))
  return (
    <>
      <ScreenHeader title={t('shell:title.processing-record')} lead={t('lead')}>
        <PrintButton />
      </ScreenHeader>
      <LongText sections={sections} />
    </>
  )
}
