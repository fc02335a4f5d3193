import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PROFILE_FIELD_LABELS } from '#contract/tables/person.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Card, Stack, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { LongText } from './components/long-text.tsx'
import { deviceDataRows, type PrivacyDataRow, serverDataRows, type Translate } from './data-map-model.ts'
import { useMultiLineTexts, useTextPlaceholderValues } from './use-text-values.ts'

function DataRows({ rows }: { rows: PrivacyDataRow[] }) {
  return (
    <Stack as="ul" width="reading" mt="l">
      {rows.map(({ name, what, why, facts }) => (
        <Card as="li" key={name} flush gap="s" layout="stack">
          <Text as="h3" variant="name">
            {what}
          </Text>
          <p>{why}</p>
          <Stack as="dl" gap="s" pairs>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </Stack>
        </Card>
      ))}
    </Stack>
  )
}

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
