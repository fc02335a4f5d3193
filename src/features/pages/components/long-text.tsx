import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card, Text } from '#ui/layout.tsx'
import classes from './long-text.module.css'
import { Prose } from './prose.tsx'
import { TextSection } from './text-section.tsx'

type Section = { id: string; title: string; lines: string[]; more?: ReactNode }

/**
 * Legal text with numbered sections and, on wide screens, a table of contents.
 * @param children content above the first section
 */
export function LongText({ sections, children }: { sections: Section[]; children?: ReactNode }) {
  const { t } = useTranslation('reading')
  return (
    <div className={classes.columns}>
      <Card as="nav" only="wide" className={classes.contents} aria-labelledby="contents">
        <Text as="h2" id="contents" variant="heading">
          {t('contents')}
        </Text>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <Text as="a" plain block href={`#${id}`}>
                {title}
              </Text>
            </li>
          ))}
        </ul>
      </Card>
      <div>
        {children}
        {sections.map(({ id, title, lines, more }) => (
          <TextSection key={id} id={id} title={title}>
            <Prose lines={lines} />
            {more}
          </TextSection>
        ))}
      </div>
    </div>
  )
}
