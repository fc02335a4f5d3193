import { useTranslation } from 'react-i18next'
import { ScreenHeader } from '#components/screen-header.tsx'
import { company } from '#contract/company.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Prose } from './components/prose.tsx'
import { TextSection } from './components/text-section.tsx'
import { useFacts } from './components/use-facts.ts'

export function InprintScreen() {
  const { t } = useTranslation(['inprint', 'shell'])
  const facts = useFacts()
  const language = useLanguage()
  const [chair, ...others] = company.executiveBoard
  return (
    <>
      <ScreenHeader title={t('shell:title.inprint')} lead={t('lead')} />
      <TextSection title={t('responsible.title')}>
        <address>
          {company.name}
          <br />
          {company.street}
          <br />
          {company.zip} {company.city}, {company.country[language]}
        </address>
        <p>
          <a href={`tel:${company.phone.replace(/\s/g, '')}`}>{company.phone}</a> ·{' '}
          <a href={`mailto:${company.email}`}>{company.email}</a>
        </p>
        <p>{t('responsible.person', { ...facts, person: company.responsiblePerson })}</p>
      </TextSection>
      <TextSection title={t('boards.title')}>
        <p>
          {t('boards.executive')}: {t('boards.chair', { person: chair })}, {others.join(', ')}
          <br />
          {t('boards.supervisory')}: {company.supervisoryBoardChair}
        </p>
      </TextSection>
      <TextSection title={t('court.title')}>
        <p>{t('court.text', { court: company.registerCourt, number: company.registerNumber })}</p>
      </TextSection>
      <TextSection title={t('vat.title')}>
        <p>{t('vat.text', { vat: company.vatId })}</p>
      </TextSection>
      <TextSection title={t('disclaimer.title')}>
        <Prose lines={t('disclaimer.text', { returnObjects: true }) as unknown as string[]} />
      </TextSection>
      <TextSection title={t('copyright.title')}>
        <p>{t('copyright.text', { ...facts, year: company.inprintCopyrightYear })}</p>
      </TextSection>
      <TextSection title={t('realization.title')}>
        <p>{company.realization[language]}</p>
      </TextSection>
      <TextSection title={t('licences.title')}>
        <Prose lines={t('licences.text', { ...facts, returnObjects: true }) as unknown as string[]} />
      </TextSection>
    </>
  )
}
