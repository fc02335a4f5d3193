import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './long-text.module.css'
import { Prose } from './prose.tsx'
import { TextSection } from './text-section.tsx'
import { useFacts } from './use-facts.ts'

type Props = {
  /** the language file that holds `section.<id>.title` and `section.<id>.text` */
  namespace: string
  ids: readonly string[]
  /** above the first section */
  children?: ReactNode
}

/** The numbered sections of a legal text; where there is room, their titles stand beside them. */
export function LongText({ namespace, ids, children }: Props) {
  const { t } = useTranslation([namespace, 'content'])
  const facts = useFacts()
  return (
    <div className={classes.columns}>
      <nav className={classes.contents} aria-labelledby="contents">
        <h2 id="contents">{t('content:contents')}</h2>
        <ul>
          {ids.map(id => (
            <li key={id}>
              <a href={`#${id}`}>{t(`section.${id}.title`)}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        {children}
        {ids.map(id => (
          <TextSection key={id} id={id} title={t(`section.${id}.title`)}>
            <Prose lines={t(`section.${id}.text`, { ...facts, returnObjects: true }) as unknown as string[]} />
          </TextSection>
        ))}
      </div>
    </div>
  )
}
