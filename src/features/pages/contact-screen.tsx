import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ButtonLink } from '#ui/button.tsx'
import { IconBrandInstagram, IconClock, IconPhone } from '#ui/icons.ts'
import { Card, Columns, Row, TapTarget } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconMail, IconMapPin } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { Prose } from './components/prose.tsx'
import { pageWithEditedText } from './components/saved-page.tsx'
import { useTextPlaceholderValues } from './use-text-values.ts'

type WayProps = { Icon: typeof IconMail; title: string; children: ReactNode }

/** A contact channel of the department. */
const Way = ({ Icon, title, children }: WayProps) => (
  <Card flush size="l">
    <TapTarget as="h2" variant="heading">
      <Icon className={styles({ tone: 'signal' })} /> {title}
    </TapTarget>
    {children}
  </Card>
)

function BuiltIn() {
  const { t } = useTranslation(['contact', 'shell'])
  const { department } = useTextPlaceholderValues()
  const language = useLanguage()
  const { visitorAddress: visitor, socialMedia } = branding
  return (
    <>
      <ScreenHeader title={t('shell:title.contact')} lead={t('lead')}>
        <Row as="p" mt="l">
          <ButtonLink href={`tel:${branding.phone.replace(/\s/g, '')}`} look="primary" isOutside>
            <IconPhone /> {t('call')}
          </ButtonLink>
          <ButtonLink href={`mailto:${branding.email}`} look="light" isOutside>
            <IconMail /> {t('write')}
          </ButtonLink>
        </Row>
      </ScreenHeader>
      <Columns gap="l" mb="xl">
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
            <TapTarget href={`tel:${branding.phone.replace(/\s/g, '')}`}>{branding.phone}</TapTarget>
          </p>
          <p>
            <TapTarget href={`mailto:${branding.email}`}>{branding.email}</TapTarget>
          </p>
        </Way>
        <Way Icon={IconBrandInstagram} title={t('social')}>
          <p>
            <TapTarget href={socialMedia.url} target="_blank" rel="noopener">
              {t('socialLink', { portal: branding.portalName, name: socialMedia.name })}
            </TapTarget>
          </p>
        </Way>
      </Columns>
      <Prose lines={[t('questions')]} />
    </>
  )
}

export const ContactScreen = pageWithEditedText('contact', 'contact', BuiltIn)
