import { Children, createContext, type ReactNode, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TODAY_TASK_LABELS } from '#contract/office/tasks.ts'
import type { TodayTask } from '#contract/office/today.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { formatNumber } from '../model.ts'
import { useGrowingList } from './growing-list.tsx'
import classes from './task-list.module.css'
import type { TodayData } from './today-acts.ts'

/** Number of tasks in each list, and the list that the screen shows completely, if it shows a single one. */
export const TaskTotals = createContext<{ totals: TodayData['totals']; all: TodayTask | '' }>({ totals: {}, all: '' })

type GroupProps = {
  /** heading; default: that of the list */
  title?: string
  /** list whose total is shown in the heading; without one, the number of lines is shown */
  list?: TodayTask
  /** urgency of the tasks: `now` if due today, `soon` if due in the next few days */
  weight?: 'now' | 'soon'
  /** button for all tasks of the group */
  action?: ReactNode
  children: ReactNode
}

/** Number of lines shown until the group is expanded. */
const FOLDED = 3
/** Number of lines by which a complete list grows as the user scrolls. */
const STEP = 50

/** Group of tasks of the same kind. Hidden if there are none. */
export function TaskGroup({ title, list, weight = 'soon', action, children }: GroupProps) {
  const { t } = useTranslation('office')
  const language = useLanguage()
  const { totals, all } = useContext(TaskTotals)
  const [isExpanded, setIsExpanded] = useState(false)
  const lines = Children.toArray(children)
  const isAll = list !== undefined && list === all
  const [grown, more] = useGrowingList(lines, STEP)
  if (lines.length === 0) return null
  const total = (list && totals[list]) ?? lines.length
  const count = formatNumber(total)
  const folded = isExpanded ? lines : lines.slice(0, FOLDED)
  return (
    <section className={classes.group} data-weight={weight}>
      <h3>
        {title ?? (list && TODAY_TASK_LABELS[language][list])} <span>{count}</span>
        {action}
      </h3>
      <ul>{isAll ? grown : folded}</ul>
      {isAll && more}
      {!isAll && total > lines.length && (
        <ButtonLink look="text" href={`/office?all=${list}`}>
          {t('today.all', { count })}
        </ButtonLink>
      )}
      {!isAll && total === lines.length && total > FOLDED && (
        <Button look="text" aria-expanded={isExpanded} onClick={() => setIsExpanded(!isExpanded)}>
          {isExpanded ? t('today.fewer') : t('today.all', { count })}
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
