import { useMediaQuery } from '@mantine/hooks'
import { type ComponentType, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect } from 'wouter'
import { PANEL_PREFIX, useSidePanel, WIDE_VIEWPORT } from '#office/frame/use-panel.ts'
import { ParamPrefix } from '#office/frame/use-url-param.ts'
import { IconButton, Row } from '#ui/layout.tsx'
import { PanelFocus } from '#ui/panel-focus.tsx'
import { IconX } from '#ui/shell-icons.ts'
import { styles } from '#ui/styles.ts'
import classes from './office-layout.module.css'
import { findOfficeScreen } from './office-navigation.ts'
import type { OfficeScreen } from './screens.tsx'

const KEYS = ['edit', 'next', 'previous', 'close'] as const

/** Side panel that shows a course or person beside the list. Narrow viewports open the full page instead. */
export function SidePanel({ screens }: { screens: readonly OfficeScreen[] }) {
  const { record, path, close } = useSidePanel()
  const isWide = useMediaQuery(WIDE_VIEWPORT, undefined, { getInitialValueInEffect: false })
  const found = record === '' ? undefined : findOfficeScreen(screens, path)
  if (!found) return null
  return isWide ? (
    <Panel record={record} path={path} screen={found.screen} last={found.last} onClose={close} />
  ) : (
    <Redirect to={path} replace />
  )
}

type Props = {
  record: string
  path: string
  screen: ComponentType<{ last: string }>
  last: string
  onClose: () => void
}

function Panel({ record, path, screen: Screen, last, onClose }: Props) {
  const { t } = useTranslation('office')
  const panel = useRef<HTMLElement>(null)
  return (
    <aside ref={panel} className={classes.panel} tabIndex={-1} aria-label={t('panel.label')} data-panel>
      <PanelFocus panel={panel} entry={`main [data-record="${record}"]`} />
      <Row justify="between">
        <Link href={path} className={styles({ base: 'actionLink' })}>
          {t('panel.whole')} <span aria-hidden>›</span>
        </Link>
        <IconButton type="button" aria-label={t('panel.close')} onClick={onClose} data-close>
          <IconX />
        </IconButton>
      </Row>
      <ParamPrefix value={PANEL_PREFIX}>
        <Screen key={record} last={last} />
      </ParamPrefix>
      <p className={classes.keys}>
        {KEYS.map(key => (
          <span key={key}>
            <kbd>{t(`keys.${key}.key`)}</kbd> {t(`keys.${key}.does`)}
          </span>
        ))}
      </p>
    </aside>
  )
}
