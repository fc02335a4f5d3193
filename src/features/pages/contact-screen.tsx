import { IconBrandInstagram, IconClock, IconMail, IconMapPin, IconPhone } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Prose } from './components/prose.tsx'
import { SavedPage } from './components/saved-page.tsx'
import { useFacts } from './use-facts.ts'

function BuiltIn() {
  const { t } = useTranslation(['contact', 'shell'])
  const { department } = useFacts()
  const language = useLanguage()
  const { visitorAddress: visitor, socialMedia } = branding
  return (
    <>
      <ScreenHeader title={t('shell:title.contact')} lead={t('lead')}>
        <p className={piece('row', 'above')}>
          <ButtonLink href={`tel:${branding.phone.replace(/\s/g, '')}`} look="primary" isOutside>
            <IconPhone aria-hidden /> {t('call')}
          </ButtonLink>
          <ButtonLink href={`mailto:${branding.email}`} look="light" isOutside>
            <IconMail aria-hidden /> {t('write')}
          </ButtonLink>
        </p>
      </ScreenHeader>
      <div className={piece('columns', 'loose', 'below')}>
        <section className={piece('box', 'flush', 'large')}>
          <h2 className={piece('heading', 'tap')}>
            <IconMail className={piece('signal')} aria-hidden /> {t('postal')}
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
        <section className={piece('box', 'flush', 'large')}>
          <h2 className={piece('heading', 'tap')}>
            <IconMapPin className={piece('signal')} aria-hidden /> {t('visitor')}
          </h2>
          <address>
            {visitor.street}
            <br />
            {visitor.zip} {visitor.city}
            <br />
            {visitor.room[language]}
          </address>
        </section>
        <section className={piece('box', 'flush', 'large')}>
          <h2 className={piece('heading', 'tap')}>
            <IconClock className={piece('signal')} aria-hidden /> {t('office')}
          </h2>
          {branding.officeHours.map(({ days, from, to }) => (
            <p key={from + to}>{t('officeHours', { days: days[language], from, to })}</p>
          ))}
        </section>
        <section className={piece('box', 'flush', 'large')}>
          <h2 className={piece('heading', 'tap')}>
            <IconPhone className={piece('signal')} aria-hidden /> {t('phone')}
          </h2>
          <p>
            <a className={piece('tap')} href={`tel:${branding.phone.replace(/\s/g, '')}`}>
              {branding.phone}
            </a>
          </p>
          <p>
            <a className={piece('tap')} href={`mailto:${branding.email}`}>
              {branding.email}
            </a>
          </p>
        </section>
        <section className={piece('box', 'flush', 'large')}>
          <h2 className={piece('heading', 'tap')}>
            <IconBrandInstagram className={piece('signal')} aria-hidden /> {t('social')}
          </h2>
          <p>
            <a className={piece('tap')} href={socialMedia.url} target="_blank" rel="noopener">
              {t('socialLink', { portal: branding.portalName, name: socialMedia.name })}
            </a>
          </p>
        </section>
      </div>
      <Prose lines={[t('questions')]} />
    </>
  )
}

export const ContactScreen = () => (
  <SavedPage page="contact" screen="contact">
    <BuiltIn />
  </SavedPage>
)
