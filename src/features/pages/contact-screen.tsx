import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { IconBrandInstagram, IconClock, IconPhone } from '#components/icons.ts'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { IconMail, IconMapPin } from '#components/shell-icons.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Prose } from './components/prose.tsx'
import { savedPage } from './components/saved-page.tsx'
import { useTextValues } from './use-facts.ts'

type WayProps = { Icon: typeof IconMail; title: string; children: ReactNode }

/** A contact channel of the department. */
const Way = ({ Icon, title, children }: WayProps) => (
  <section className={piece('box', 'flush', 'large')}>
    <h2 className={piece('heading', 'tap')}>
      <Icon className={piece('signal')} /> {title}
    </h2>
    {children}
  </section>
)

function BuiltIn() {
  const { t } = useTranslation(['contact', 'shell'])
  const { department } = useTextValues()
  const language = useLanguage()
  const { visitorAddress: visitor, socialMedia } = branding
  return (
    <>
      <ScreenHeader title={t('shell:title.contact')} lead={t('lead')}>
        <p className={piece('row', 'above')}>
          <ButtonLink href={`tel:${branding.phone.replace(/\s/g, '')}`} look="primary" isOutside>
            <IconPhone /> {t('call')}
          </ButtonLink>
          <ButtonLink href={`mailto:${branding.email}`} look="light" isOutside>
            <IconMail /> {t('write')}
          </ButtonLink>
        </p>
      </ScreenHeader>
      <div className={piece('columns', 'loose', 'below')}>
        <Way Icon={IconMail} title={t('postal')}>
          <address>
            {branding.name}
            <br />
            {department}
            <br />
            {branding.street}
            <br />
            {branding.zip} {branding.city}
          </address>
        </Way>
        <Way Icon={IconMapPin} title={t('visitor')}>
          <address>
            {visitor.street}
            <br />
            {visitor.zip} {visitor.city}
            <br />
            {visitor.room[language]}
          </address>
        </Way>
        <Way Icon={IconClock} title={t('office')}>
          {branding.officeHours.map(({ days, from, to }) => (
            <p key={from + to}>{t('officeHours', { days: days[language], from, to })}</p>
          ))}
        </Way>
        <Way Icon={IconPhone} title={t('phone')}>
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
        </Way>
        <Way Icon={IconBrandInstagram} title={t('social')}>
          <p>
            <a className={piece('tap')} href={socialMedia.url} target="_blank" rel="noopener">
              {t('socialLink', { portal: branding.portalName, name: socialMedia.name })}
            </a>
          </p>
        </Way>
      </div>
      <Prose lines={[t('questions')]} />
    </>
  )
}

export const ContactScreen = savedPage('contact', 'contact', BuiltIn)
