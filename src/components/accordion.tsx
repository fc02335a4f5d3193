import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './accordion.module.css'

export type AccordionSection = { id: string; title: string; body: ReactNode }

type Props = {
  sections: AccordionSection[]
  openId: string | null
  onOpen: (id: string | null) => void
}

/** One section open at a time. Closed sections stay in the document, so that they can be printed. */
export function Accordion({ sections, openId, onOpen }: Props) {
  return (
    <div className={classes.accordion}>
      {sections.map(({ id, title, body }) => {
        const isOpen = id === openId
        return (
          <section key={id} id={id} className={classes.section}>
            <h2 className={classes.heading}>
              <button
                type="button"
                id={`${id}-button`}
                aria-expanded={isOpen}
                aria-controls={`${id}-body`}
                onClick={() => onOpen(isOpen ? null : id)}
              >
                {title}
                <IconChevronDown aria-hidden />
              </button>
            </h2>
            <div id={`${id}-body`} className={classes.body} hidden={!isOpen}>
              {body}
            </div>
          </section>
        )
      })}
    </div>
  )
}
