import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Accordion } from '#ui/accordion.tsx'
import { ScreenHeader } from '#ui/screen-header.tsx'
import { Prose } from './components/prose.tsx'
import { useMultiLineTexts, useTextPlaceholderValues } from './use-text-values.ts'

const SECTIONS = [
  'who',
  'register',
  'booking',
  'waiting',
  'cancel',
  'costs',
  'free',
  'refund',
  'dates',
  'online',
  'account',
]

const sectionInAddress = () => {
  const id = window.location.hash.slice(1)
  return SECTIONS.includes(id) ? id : null
}

/**
 * FAQ accordion. The open section is part of the URL, so that a link to it can be shared.
 * @param english renders the department's English document, if one is published
 */
export function FaqScreen({ english }: { english?: ReactNode }) {
  const { t } = useTranslation(['faq', 'shell'])
  const facts = useTextPlaceholderValues()
  const linesOf = useMultiLineTexts('faq')
  const [openId, setOpenId] = useState(sectionInAddress)
  useEffect(() => {
    const follow = () => setOpenId(sectionInAddress())
    window.addEventListener('hashchange', follow)
    document.getElementById(sectionInAddress() ?? '')?.scrollIntoView()
    return () => window.removeEventListener('hashchange', follow)
  }, [])

  const open = (id: string | null) => {
    setOpenId(id)
    window.history.replaceState(window.history.state, '', id ? `#${id}` : window.location.pathname)
  }
  return (
    <>
      <ScreenHeader title={t('shell:title.faq')} lead={t('lead')} />
      {english}
      <Accordion
        openId={openId}
        onOpen={open}
        sections={SECTIONS.map(id => ({
          id,
          title: t(`section.${id}.title`, facts),
          body: <Prose lines={linesOf(`section.${id}.text`)} />,
        }))}
      />
    </>
  )
}
