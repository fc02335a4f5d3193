import { IconBrandInstagram, IconClock, IconMail, IconMapPin, IconPhone } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import buttons from '#components/button.module.css'
import { ButtonLink } from '#components/button.tsx'
import { ScreenHeader } from '#components/screen-header.tsx'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Prose } from './components/prose.tsx'
import classes from './contact-screen.module.css'
import { useFacts } from './use-facts.ts'

export function ContactScreen() {
  const { t } = useTranslation(['contact', 'shell'])
  const { department } = useFacts()
  const language = useLanguage()
  const { visitorAddress: visitor, socialMedia } = branding
  return (
    <>
      <ScreenHeader title={t('shell:title.contact')} lead={t('lead')}>
        <p className={buttons.row}>
          <ButtonLink href={`tel:${branding.phone.replace(/\s/g, '')}`} look="primary" isOutside>
            <IconPhone aria-hidden /> {t('call')}
          </ButtonLink>
          <ButtonLink href={`mailto:${branding.email}`} look="light" isOutside>
            <IconMail aria-hidden /> {t('write')}
          </ButtonLink>
        </p>
      </ScreenHeader>
      <div className={classes.cards}>
        <section>
          <h2>
            <IconMail aria-hidden /> {t('postal')}
          </h2>
          <address>
            {branding.name}
            <br />
            {department}
            <br />
            {branding.street}
            <br />
            {branding.zip} {branding.city}
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
          {branding.officeHours.map(({ days, from, to }) => (
            <p key={from + to}>{t('officeHours', { days: days[language], from, to })}</p>
          ))}
        </section>
        <section>
          <h2>
            <IconPhone aria-hidden /> {t('phone')}
          </h2>
          <p>
            <a href={`tel:${branding.phone.replace(/\s/g, '')}`}>{branding.phone}</a>
          </p>
          <p>
            <a href={`mailto:${branding.email}`}>{branding.email}</a>
          </p>
        </section>
        <section>
          <h2>
            <IconBrandInstagram aria-hidden /> {t('social')}
          </h2>
          <p>
            <a href={socialMedia.url} target="_blank" rel="noopener">
              {t('socialLink', { portal: branding.portalName, name: socialMedia.name })}
            </a>
          </p>
        </section>
      </div>
      <Prose lines={[t('questions')]} />
    </>
  )
}
