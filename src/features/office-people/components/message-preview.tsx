import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import type { Language } from '#contract/values.ts'
import { branding } from '#lib/branding.ts'
import classes from './message-preview.module.css'

type Words = { title: string; title2: string; text: string; text2: string }

const LANGUAGES = ['de', 'en'] as const

/** A message as its recipients see it, in one of the languages: as a mail, and in the portal on a phone. */
export function MessagePreview({ words, isMailed }: { words: Words; isMailed: boolean }) {
  const { t, i18n } = useTranslation('office-people')
  const [language, setLanguage] = useState<Language>('de')
  const say = i18n.getFixedT(language, 'office-people')
  const isSecond = language === 'en'
  const title = (isSecond && words.title2.trim()) || words.title
  const paragraphs = ((isSecond && words.text2.trim()) || words.text).split(/\n{2,}/).filter(Boolean)
  return (
    <section className={piece('stack', 'close')} aria-labelledby="preview">
      <div className={piece('spread')}>
        <h2 id="preview" className={piece('heading')}>
          {t('preview.title')}
        </h2>
        <div className={piece('row')}>
          {LANGUAGES.map(one => (
            <Button key={one} look="quiet" isPill aria-pressed={one === language} onClick={() => setLanguage(one)}>
              {t(one === 'de' ? 'message.german' : 'message.english')}
            </Button>
          ))}
        </div>
      </div>
      <div className={classes.preview} lang={language}>
        {isMailed && (
          <Frame label={t('preview.mail')} className={classes.mail}>
            <p className={classes.brand}>{branding.portalName}</p>
            <div className={classes.body}>
              <p className={piece('flush')}>
                <span className={piece('muted')}>{t('message.subject')}:</span> <b>{title}</b>
              </p>
              <p className={piece('flush')}>{say('preview.greeting', { name: say('preview.name') })}</p>
              <Paragraphs texts={paragraphs} />
            </div>
          </Frame>
        )}
        <Frame label={t('preview.phone')} className={classes.phone}>
          <p className={piece('name', 'bold')}>{title}</p>
          <Paragraphs texts={paragraphs} />
        </Frame>
      </div>
    </section>
  )
}

function Frame({ label, className, children }: { label: string; className: string | undefined; children: ReactNode }) {
  return (
    <div>
      <p className={piece('small')}>{label}</p>
      <article className={className} aria-label={label}>
        {children}
      </article>
    </div>
  )
}

const Paragraphs = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no other identity
    <p key={index} className={piece('flush', 'written')}>
      {text}
    </p>
  ))
