import { useTranslation } from 'react-i18next'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { LongText } from './components/long-text.tsx'
import { useMultiLineTexts } from './use-text-values.ts'

const SECTIONS = ['service', 'standard', 'checks', 'limits', 'contact', 'authority']

/** Statement of how the service meets accessibility requirements, as annex 3 of the German BFSG demands. */
export function AccessibilityScreen() {
  const { t } = useTranslation(['accessibility', 'shell'])
  const linesOf = useMultiLineTexts('accessibility')
  const sections = SECTIONS.map(id => ({
    id,
    title: t(`section.${id}.title`),
    lines: linesOf(`section.${id}.text`),
  }))
  return (
    <>
      <ScreenHeader title={t('shell:title.accessibility')} lead={t('lead')} />
      <LongText sections={sections} />
    </>
  )
}
