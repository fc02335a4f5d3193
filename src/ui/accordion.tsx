import { Accordion as Sections } from '@mantine/core'
import { styles } from '#ui/styles.ts'
import '@mantine/core/styles/Accordion.layer.css'
import type { ReactNode } from 'react'
import classes from './accordion.module.css'
import { MantineRoot } from './mantine-provider.tsx'
import { IconChevronDown } from './shell-icons.ts'

export type AccordionSection = { id: string; title: string; body: ReactNode }

type Props = {
  sections: AccordionSection[]
  openId: string | null
  onOpen: (id: string | null) => void
}

/** Accordion in which one section is open at a time. Closed sections stay in the DOM, so that they can be printed. */
export function Accordion({ sections, openId, onOpen }: Props) {
  return (
    <MantineRoot>
      <Sections
        value={openId}
        onChange={onOpen}
        order={2}
        variant="separated"
        transitionDuration={0}
        keepMounted
        keepMountedMode="display-none"
        chevron={<IconChevronDown />}
        classNames={{ ...classes, item: styles({ base: 'surface' }), content: styles({ width: 'reading' }) }}
      >
        {sections.map(({ id, title, body }) => (
          <Sections.Item key={id} id={id} value={id}>
            <Sections.Control>{title}</Sections.Control>
            <Sections.Panel>{body}</Sections.Panel>
          </Sections.Item>
        ))}
      </Sections>
    </MantineRoot>
  )
}
