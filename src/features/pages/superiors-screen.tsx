import { useTranslation } from 'react-i18next'
import { MIN_REPORTED_GROUP_SIZE } from '#contract/office/report.ts'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { LongText } from './components/long-text.tsx'
import { PrintButton } from './components/print-button.tsx'
import { superiorsLines, type Translate } from './data-map-model.ts'
import { useMultiLineTexts, useTextPlaceholderValues } from './use-text-values.ts'

const SECTIONS = ['role', 'visible', 'hidden', 'tasks', 'figures']

/** What superiors can and cannot see, for employees and their works council. */
export function SuperiorsScreen() {
  const { t } = useTranslation(['superiors', 'privacy', 'shell'])
  const facts = useTextPlaceholderValues()
  const linesOf = useMultiLineTexts('superiors', { smallest: String(MIN_REPORTED_GROUP_SIZE) })
  const say: Translate = (key, values = {}) => t(`privacy:${key}`, { ...facts, ...values })
  const generated: Record<string, string[]> = superiorsLines(say)
  const sections = SECTIONS.map(id => ({
    id,
    title: t(`section.${id}.title`),
    lines: [...linesOf(`section.${id}.text`), ...(generated[id] ?? [])],
  }))
  return (
    <>
      <ScreenHeader title={t('shell:title.superiors')} lead={t('lead')}>
        <PrintButton />
      </ScreenHeader>
      <LongText sections={sections} />
    </>
  )
}
