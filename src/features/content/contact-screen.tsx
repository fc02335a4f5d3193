import { IconBrandInstagram, IconClock, IconMail, IconMapPin, IconPhone } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { ScreenHeader } from '#components/screen-header.tsx'
import { company } from '#contract/company.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Prose } from './components/prose.tsx'
import { useFacts } from './components/use-facts.ts'
import classes from './contact-screen.module.css'

export function ContactScreen() {
  const { t } = useTranslation(['contact', 'shell'])
  const { department } = useFacts()
  const language = useLanguage()
  const { visitorAddress: visitor, socialMedia } = company
  return (
    <>
      <ScreenHeader title={t('shell:title.contact')} lead={t('lead')}>
        <p className={buttons.row}>
          <a href={`tel:${company.phone.replace(/\s/g, '')}`} className={`${buttons.button} ${buttons.primary}`}>
            <IconPhone aria-hidden /> {t('call')}
          </a>
          <a href={`mailto:${company.email}`} className={`${buttons.button} ${buttons.light}`}>
            <IconMail aria-hidden /> {t('write')}
          </a>
        </p>
      </ScreenHeader>
      <div className={classes.cards}>
        <section>
          <h2>
            <IconMail aria-hidden /> {t('postal')}
          </h2>
          <address>
            {company.name}
            <br />
            {department}
            <br />
            {company.street}
            <br />
            {company.zip} {company.city}
          </address>
        </section>
        <section>
          <h2>
            <IconMapPin aria-hidden /> {t('visitor')}
          </h2>
          <address>
            {visitor.street}
            <br />
            {visitor.zip} {visitor.city}
            <br />
            {visitor.room[language]}
          </address>
        </section>
        <section>
          <h2>
            <IconClock aria-hidden /> {t('office')}
          </h2>
          {company.officeHours.map(({ days, from, to }) => (
            <p key={from + to}>{t('officeHours', { days: days[language], from, to })}</p>
          ))}
        </section>
        <section>
          <h2>
            <IconPhone aria-hidden /> {t('phone')}
          </h2>
          <p>
            <a href={`tel:${company.phone.replace(/\s/g, '')}`}>{company.phone}</a>
          </p>
          <p>
            <a href={`mailto:${company.email}`}>{company.email}</a>
          </p>
        </section>
        <section>
          <h2>
            <IconBrandInstagram aria-hidden /> {t('social')}
          </h2>
          <p>
            <a href={socialMedia.url} target="_blank" rel="noopener">
              {t('socialLink', { portal: company.portalName, name: socialMedia.name })}
            </a>
          </p>
        </section>
      </div>
      <Prose lines={[t('questions')]} />
    </>
  )
}
