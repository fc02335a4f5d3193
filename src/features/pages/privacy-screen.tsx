import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { DataRows } from './components/data-rows.tsx'
import { LongText } from './components/long-text.tsx'
import { deviceDataRows, type PrivacyDataRow, serverDataRows, type Translate } from './data-map-model.ts'
import { useMultiLineTexts, useTextPlaceholderValues } from './use-text-values.ts'

const SECTIONS = [
  'controller',
  'visit',
  'device',
  'account',
  'password',
  'courses',
  'contact',
  'basis',
  'retention',
  'rights',
  'security',
]

/** @param english renders the department's English document, if one is published */
export function PrivacyScreen({ english }: { english?: ReactNode }) {
  const { t } = useTranslation(['privacy', 'shell'])
  const facts = useTextPlaceholderValues()
  const fields = Object.values(PROFILE_FIELD_LABELS[useLanguage()]).join(', ')
  const linesOf = useMultiLineTexts('privacy', { fields })
  const say: Translate = (key, values = {}) => t(key, { ...facts, ...values })
  const tables: Record<string, PrivacyDataRow[]> = { device: deviceDataRows(say), retention: serverDataRows(say) }
  const sections = SECTIONS.map(id => ({
    id,
    more: tables[id] && <DataRows rows={tables[id]} />,
    title: t(`section.${id}.title`),
    lines: linesOf(`section.${id}.text`),
  }))
  return (
    <>
      <ScreenHeader title={t('shell:title.privacy')} kicker={t('date')} lead={t('lead')} />
      {english}
      <LongText sections={sections} />
    </>
  )
}
