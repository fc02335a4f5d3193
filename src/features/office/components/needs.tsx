import { Children, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import classes from './needs.module.css'

type GroupProps = {
  title: string
  /** default: number of its lines */
  count?: number
  /** `now`: today; `soon`: in the next days */
  weight?: 'now' | 'soon'
  children: ReactNode
}

/** Lines of a group that are shown before it is unfolded. */
const FOLDED = 3

/** Tasks of one kind; hidden while there is none. */
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

/** One task with its acts. */
export const TaskLine = ({ title, text, children }: { title: ReactNode; text: string; children?: ReactNode }) => (
  <li className={classes.line} data-row>
    <p>
      <b>{title}</b> <span>{text}</span>
    </p>
    <div>{children}</div>
  </li>
)

/** List of groups; its text is shown while none of them has a line. */
export const TaskList = ({ empty, children }: { empty: string; children: ReactNode }) => (
  <>
    <div className={`${styles({ base: 'pictureFrame', hideEmpty: true })} ${classes.list}`}>{children}</div>
    <Text tone="muted" flush className={classes.empty}>
      {empty}
    </Text>
  </>
)
