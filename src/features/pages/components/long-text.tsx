import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import classes from './long-text.module.css'
import { Prose } from './prose.tsx'
import { TextSection } from './text-section.tsx'

type Section = { id: string; title: string; lines: string[]; more?: ReactNode }

/**
 * Legal text with numbered sections and, on wide screens, a table of contents. @param children above the first section
 */
export function LongText({ sections, children }: { sections: Section[]; children?: ReactNode }) {
  const { t } = useTranslation('reading')
  return (
    <div className={classes.columns}>
      <nav className={`${piece('box', 'wideOnly')} ${classes.contents}`} aria-labelledby="contents">
        <h2 id="contents" className={piece('heading')}>
          {t('contents')}
        </h2>
        <ul>
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a className={piece('plain', 'block')} href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
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
