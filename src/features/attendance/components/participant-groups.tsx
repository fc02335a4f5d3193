import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Columns } from '#ui/layout.tsx'
import type { ParticipantRow } from '../model.ts'
import classes from './gym.module.css'

/** Rows per list element. Shorter lists limit style, layout and accessibility work per tap; see docs/decisions/0013. */
const TOGETHER = 24

type ParticipantGroupsProps = {
  rows: readonly ParticipantRow[]
  isShown: (row: ParticipantRow) => boolean
  children: (row: ParticipantRow) => ReactNode
}

/** The participants, split into lists of limited length that are labelled with their first and last name. */
export function ParticipantGroups({ rows, isShown, children }: ParticipantGroupsProps) {
  const { t } = useTranslation('attendance')
  return Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, at) => {
    const people = rows.slice(at * TOGETHER, (at + 1) * TOGETHER)
    return (
      <Columns
        as="ul"
        // biome-ignore lint/suspicious/noArrayIndexKey: groups are identified only by their position
        key={at}
        gap="none"
        className={classes.people}
        aria-label={
          rows.length > TOGETHER ? t('people', { first: people[0]?.name, last: people.at(-1)?.name }) : undefined
        }
        hidden={!people.some(isShown)}
      >
        {people.filter(isShown).map(children)}
      </Columns>
    )
  })
}
