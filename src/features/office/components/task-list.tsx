import { Children, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import classes from './task-list.module.css'

type GroupProps = {
  title: string
  /** number shown in the heading; defaults to the number of lines */
  count?: number
  /** urgency of the tasks: `now` if due today, `soon` if due in the next few days */
  weight?: 'now' | 'soon'
  children: ReactNode
}

/** Number of lines shown until the group is expanded. */
const FOLDED = 3

/** Group of tasks of the same kind. Hidden if there are none. */
export function TaskGroup({ title, weight = 'soon', children, count }: GroupProps) {
  const { t } = useTranslation('office')
  const [isWhole, setIsWhole] = useState(false)
  const lines = Children.toArray(children)
  const total = count ?? lines.length
  if (lines.length === 0) return null
  return (
    <section className={classes.group} data-weight={weight}>
      <h3>
        {title} <span>{total}</span>
      </h3>
      <ul>{isWhole ? lines : lines.slice(0, FOLDED)}</ul>
      {lines.length > FOLDED && (
        <Button look="text" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('today.fewer') : t('today.all', { count: lines.length })}
        </Button>
      )}
    </section>
  )
}

/** A single task with its action buttons. */
export const TaskLine = ({ title, text, children }: { title: ReactNode; text: string; children?: ReactNode }) => (
  <li className={classes.line} data-row>
    <p>
      <b>{title}</b> <span>{text}</span>
    </p>
    <div>{children}</div>
  </li>
)

/** List of task groups. Shows the text `empty` if no group has a task. */
export const TaskList = ({ empty, children }: { empty: string; children: ReactNode }) => (
  <>
    <div className={`${styles({ base: 'pictureFrame', hideEmpty: true })} ${classes.list}`}>{children}</div>
    <Text tone="muted" flush className={classes.empty}>
      {empty}
    </Text>
  </>
)
