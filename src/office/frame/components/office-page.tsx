import { type ReactNode, useContext } from 'react'
import { useLocation } from 'wouter'
import { usePageTitle } from '#lib/breadcrumb.ts'
import { Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { ParamPrefix } from '../use-url-param.ts'
import classes from './office-page.module.css'

type Props = {
  title: string
  /** text below the title */
  lead?: ReactNode
  /** action buttons to the right of the title */
  actions?: ReactNode
  children: ReactNode
}

/**
 * Layout of an office screen, with heading, actions and content. Sets the page title unless the screen is rendered in
 * the side panel.
 */
export function OfficePage({ title, lead, actions, children }: Props) {
  const [location] = useLocation()
  const isInPanel = useContext(ParamPrefix) !== ''
  const Title = isInPanel ? 'h2' : 'h1'
  usePageTitle(isInPanel ? null : title, '', location)
  return (
    <Stack gap="l">
      <header className={classes.head}>
        <div>
          <Title className={styles({ variant: isInPanel ? 'heading' : 'title', flush: true })}>{title}</Title>
          {lead && (
            <Text tone="muted" flush>
              {lead}
            </Text>
          )}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </Stack>
  )
}
