import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { ButtonLink } from '#ui/button.tsx'
import { IconPhone } from '#ui/icons.ts'
import { Box, CardBody, Columns, Tag, TapTarget, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { IconMail } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import { Prose } from './components/prose.tsx'
import { pageWithEditedText } from './components/saved-page.tsx'
import { useMultiLineTexts } from './use-text-values.ts'

function Member({ member }: { member: (typeof branding.team)[number] }) {
  const { t } = useTranslation('team')
  const language = useLanguage()
  const { name, role, phone, email, portrait, isOnLeave } = member
  return (
    <li className={styles({ base: 'pictureRow' })}>
      <img src={`/team/${portrait}`} alt="" width="600" height="600" loading="lazy" />
      <CardBody flush>
        <h3>{name}</h3>
        <Text size="s">{role[language]}</Text>
        {isOnLeave && (
          <Tag as="p" fill="sun">
            {t('onLeave')}
          </Tag>
        )}
        <Text size="s">
          <TapTarget href={`tel:${phone.replace(/\s/g, '')}`} aria-label={t('call', { name, phone })}>
            <IconPhone size={20} /> {phone}
          </TapTarget>
        </Text>
        <Text size="s">
          <TapTarget href={`mailto:${email}`} aria-label={t('write', { name, email })}>
            <IconMail size={20} />
            {/* Allows long e-mail addresses to break after the @. */}
            <span>
              {email.split('@')[0]}@<wbr />
              {email.split('@')[1]}
            </span>
          </TapTarget>
        </Text>
      </CardBody>
    </li>
  )
}

const GROUPS = ['leadership', 'coordination', 'decentral', 'certification'] as const

function BuiltIn() {
  const { t } = useTranslation(['team', 'shell'])
  const linesOf = useMultiLineTexts('team')
  const phase = useSession(state => state.phase)
  return (
    <>
      <ScreenHeader title={t('shell:title.team')} lead={t('lead')} />
      <Prose lines={linesOf('intro')} />
      {phase === 'none' && (
        <p>
          <ButtonLink href="/register1" look="primary">
            {t('register')}
          </ButtonLink>
        </p>
      )}
      {GROUPS.map(group => (
        <Box as="section" key={group} mt="l" mb="xl">
          <h2>{t(`group.${group}`)}</h2>
          <Columns as="ul" gap="l">
            {branding.team
              .filter(member => member.group === group)
              .map(member => (
                <Member key={member.email} member={member} />
              ))}
          </Columns>
        </Box>
      ))}
      <section>
        <h2>{t('instructors')}</h2>
        <ButtonLink href="/instructor" look="ghost">
          {t('toInstructors')}
        </ButtonLink>
      </section>
    </>
  )
}

export const TeamScreen = pageWithEditedText('team', 'team', BuiltIn)
