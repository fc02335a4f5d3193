import { useTranslation } from 'react-i18next'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Prose } from './components/prose.tsx'
import { pageWithEditedText } from './components/saved-page.tsx'
import { TextSection } from './components/text-section.tsx'
import { useMultiLineTexts, useTextPlaceholderValues } from './use-text-values.ts'

function BuiltIn() {
  const { t } = useTranslation(['inprint', 'shell'])
  const facts = useTextPlaceholderValues()
  const linesOf = useMultiLineTexts('inprint')
  const language = useLanguage()
  const [chair, ...others] = branding.executiveBoard
  return (
    <>
      <ScreenHeader title={t('shell:title.inprint')} lead={t('lead')} />
      <TextSection title={t('responsible.title')}>
        <address>
          {branding.name}
          <br />
          {branding.street}
          <br />
          {branding.zip} {branding.city}, {branding.country[language]}
        </address>
        <p>
          <a href={`tel:${branding.phone.replace(/\s/g, '')}`}>{branding.phone}</a> ·{' '}
          <a href={`mailto:${branding.email}`}>{branding.email}</a>
        </p>
        <p>{t('responsible.person', { ...facts, person: branding.responsiblePerson })}</p>
      </TextSection>
      <TextSection title={t('boards.title')}>
        <p>
          {t('boards.executive')}: {t('boards.chair', { person: chair })}, {others.join(', ')}
          <br />
          {t('boards.supervisory')}: {branding.supervisoryBoardChair}
        </p>
      </TextSection>
      <TextSection title={t('court.title')}>
        <p>{t('court.text', { court: branding.registerCourt, number: branding.registerNumber })}</p>
      </TextSection>
      <TextSection title={t('vat.title')}>
        <p>{t('vat.text', { vat: branding.vatId })}</p>
      </TextSection>
      <TextSection title={t('disclaimer.title')}>
        <Prose lines={linesOf('disclaimer.text')} />
      </TextSection>
      <TextSection title={t('copyright.title')}>
        <p>{t('copyright.text', { ...facts, year: branding.inprintCopyrightYear })}</p>
      </TextSection>
      <TextSection title={t('realization.title')}>
        <p>{branding.realization[language]}</p>
      </TextSection>
      <TextSection title={t('licences.title')}>
        <Prose lines={linesOf('licences.text')} />
      </TextSection>
    </>
  )
}

export const ImprintScreen = pageWithEditedText('legal', 'inprint', BuiltIn)
