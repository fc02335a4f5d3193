import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#contract/values.ts'
import { branding } from '#lib/branding.ts'
import { Button } from '#ui/button.tsx'
import { Row, Stack, Text } from '#ui/layout.tsx'
import classes from './message-preview.module.css'

type Words = { title: string; title2: string; text: string; text2: string }

const LANGUAGES = ['de', 'en'] as const

/** Preview of a message in one language, both as an e-mail and as shown in the portal on a phone. */
export function MessagePreview({ words, isMailed }: { words: Words; isMailed: boolean }) {
  const { t, i18n } = useTranslation('office-people')
  const [language, setLanguage] = useState<Language>('de')
  const say = i18n.getFixedT(language, 'office-people')
  const isSecond = language === 'en'
  const title = (isSecond && words.title2.trim()) || words.title
  const paragraphs = ((isSecond && words.text2.trim()) || words.text).split(/\n{2,}/).filter(Boolean)
  return (
    <Stack as="section" gap="s" aria-labelledby="preview">
      <Row justify="between">
        <Text as="h2" id="preview" variant="heading">
          {t('preview.title')}
        </Text>
        <Row>
          {LANGUAGES.map(one => (
            <Button key={one} look="quiet" isPill aria-pressed={one === language} onClick={() => setLanguage(one)}>
              {t(one === 'de' ? 'message.german' : 'message.english')}
            </Button>
          ))}
        </Row>
      </Row>
      <div className={classes.preview} lang={language}>
        {isMailed && (
          <Frame label={t('preview.mail')} className={classes.mail}>
            <p className={classes.brand}>{branding.portalName}</p>
            <div className={classes.body}>
              <Text flush>
                <Text as="span" tone="muted">
                  {t('message.subject')}:
                </Text>{' '}
                <b>{title}</b>
              </Text>
              <Text flush>{say('preview.greeting', { name: say('preview.name') })}</Text>
              <Paragraphs texts={paragraphs} />
            </div>
          </Frame>
        )}
        <Frame label={t('preview.phone')} className={classes.phone}>
          <Text variant="name" weight="bold">
            {title}
          </Text>
          <Paragraphs texts={paragraphs} />
        </Frame>
      </div>
    </Stack>
  )
}

function Frame({ label, className, children }: { label: string; className: string | undefined; children: ReactNode }) {
  return (
    <div>
      <Text size="s">{label}</Text>
      <article className={className} aria-label={label}>
        {children}
      </article>
    </div>
  )
}

const Paragraphs = ({ texts }: { texts: readonly string[] }) =>
  texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no id
    <Text key={index} flush preLine>
      {text}
    </Text>
  ))
