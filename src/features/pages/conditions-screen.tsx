import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#features/session/store.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Card, Text } from '#ui/layout.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { LongText } from './components/long-text.tsx'
import { Prose } from './components/prose.tsx'
import { TextSection } from './components/text-section.tsx'
import { useMultiLineTexts } from './use-text-values.ts'

const SECTIONS = [
  'scope',
  'eligible',
  'registration',
  'booking',
  'cancel',
  'fees',
  'attendance',
  'refund',
  'course',
  'health',
  'house',
  'data',
]

/** @param english renders the department's English document, if one is published */
export function ConditionsScreen({ english }: { english?: ReactNode }) {
  const { t } = useTranslation(['conditions', 'shell'])
  const linesOf = useMultiLineTexts('conditions')
  const phase = useSession(state => state.phase)
  const sections = SECTIONS.map(id => ({
    id,
    title: t(`section.${id}.title`),
    lines: linesOf(`section.${id}.text`),
  }))
  return (
    <>
      <ScreenHeader title={t('shell:title.conditions')} lead={t('lead')}>
        {phase === 'none' && (
          <Text mt="l">
            <ButtonLink href="/register1" look="primary">
              {t('register')}
            </ButtonLink>
          </Text>
        )}
      </ScreenHeader>
      {english}
      <LongText sections={sections}>
        <Card as="aside" width="narrow" mb="xl" edge>
          <TextSection title={t('short.title')}>
            <Prose lines={linesOf('short.text')} />
          </TextSection>
        </Card>
      </LongText>
    </>
  )
}
