import { useTranslation } from 'react-i18next'
import { ButtonLink } from '#components/button.tsx'
import { IconPhone } from '#components/icons.ts'
import { piece } from '#components/pieces.ts'
import { ScreenHeader } from '#components/screen-header.tsx'
import { IconMail } from '#components/shell-icons.ts'
import { useSession } from '#features/session/store.ts'
import { branding } from '#lib/branding.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Prose } from './components/prose.tsx'
import { savedPage } from './components/saved-page.tsx'
import { useTextLines } from './use-lines.ts'

function Member({ member }: { member: (typeof branding.team)[number] }) {
  const { t } = useTranslation('team')
  const language = useLanguage()
  const { name, role, phone, email, portrait, isOnLeave } = member
  return (
    <li className={piece('beside')}>
      <img src={`/team/${portrait}`} alt="" width="600" height="600" loading="lazy" />
      <div className={piece('words', 'flush')}>
        <h3>{name}</h3>
        <p className={piece('small')}>{role[language]}</p>
        {isOnLeave && <p className={piece('tag', 'sunny')}>{t('onLeave')}</p>}
        <p className={piece('small')}>
          <a className={piece('tap')} href={`tel:${phone.replace(/\s/g, '')}`} aria-label={t('call', { name, phone })}>
            <IconPhone size={20} /> {phone}
          </a>
        </p>
        <p className={piece('small')}>
          <a className={piece('tap')} href={`mailto:${email}`} aria-label={t('write', { name, email })}>
            <IconMail size={20} />
            {/* Break opportunity after @ in long addresses. */}
            <span>
              {email.split('@')[0]}@<wbr />
              {email.split('@')[1]}
            </span>
          </a>
        </p>
      </div>
    </li>
  )
}

const GROUPS = ['leadership', 'coordination', 'decentral', 'certification'] as const

function BuiltIn() {
  const { t } = useTranslation(['team', 'shell'])
  const linesOf = useTextLines('team')
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
        <section key={group} className={piece('above', 'below')}>
          <h2>{t(`group.${group}`)}</h2>
          <ul className={piece('columns', 'loose')}>
            {branding.team
              .filter(member => member.group === group)
              .map(member => (
                <Member key={member.email} member={member} />
              ))}
          </ul>
        </section>
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

export const TeamScreen = savedPage('team', 'team', BuiltIn)
