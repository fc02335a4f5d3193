import { Drawer } from '@mantine/core'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { useSession } from '#features/session/store.ts'
import { readSetting, writeSetting } from '#lib/settings.ts'
import { Button } from '#ui/button.tsx'
import { Row, Stack, Surface, Text } from '#ui/layout.tsx'
import { MantineRoot } from '#ui/mantine-provider.tsx'
import { styles } from '#ui/styles.ts'
import { useCloseOnBack } from '#ui/use-close-on-back.ts'
import { requestLogout } from '../logout.ts'
import { ColorSchemeSwitch } from './color-scheme-switch.tsx'
import classes from './menu-drawer.module.css'
import { type MenuPage, mainMenu, menuLabelOf, topLinks } from './navigation.ts'
import { userMenu } from './own-navigation.ts'

/** Text sizes to choose from, as a percentage of the device's text size. tokens.css contains a rule for each. */
const SIZES = ['100', '125', '150']
/** Storage key that public/boot.js reads before the first paint. */
const KEY = 'TextSize'

/** Enlarges the text of all screens on this device, in addition to the browser's own setting. */
function TextSizeSwitch() {
  const { t } = useTranslation('shell')
  const [chosen, setChosen] = useState(readSetting(KEY) ?? '100')
  const choose = (size: string) => {
    document.documentElement.dataset.text = size
    writeSetting(KEY, size)
    setChosen(size)
  }
  return (
    <section aria-labelledby="text-size">
      <Text as="h2" id="text-size" variant="label">
        {t('textSize')}
      </Text>
      <Row gap="s">
        {SIZES.map(size => (
          <Button
            key={size}
            look="quiet"
            isPill
            isWide
            aria-pressed={chosen === size}
            onClick={() => choose(size)}
          >{`${size} %`}</Button>
        ))}
      </Row>
    </section>
  )
}

/** Re-exported to share this chunk, because both components are needed only after a tap. */
export { UserMenu } from './user-menu.tsx'

function Section({ title, pages, onFollow }: { title: string; pages: readonly MenuPage[]; onFollow: () => void }) {
  const { t } = useTranslation('shell')
  const [location] = useLocation()
  return (
    <section>
      <Text as="h2" variant="label">
        {title}
      </Text>
      <Surface as="ul" divided>
        {pages.map(page => (
          <li key={page}>
            <Link
              href={page}
              className={`${styles({ base: 'tapTarget', plain: true, size: 'l' })} ${classes.link}`}
              onClick={onFollow}
              {...(location === page ? { 'aria-current': 'page' as const } : {})}
            >
              {menuLabelOf(t, page)}
            </Link>
          </li>
        ))}
      </Surface>
    </section>
  )
}

export function MenuDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  const session = useSession(state => state.session)
  useCloseOnBack(onClose)
  // Also after a page with unsaved input, which intercepts the tap, has been left.
  const [location] = useLocation()
  const [opened] = useState(location)
  useEffect(() => {
    if (location !== opened) onClose()
  }, [location, opened, onClose])
  return (
    <MantineRoot>
      <Drawer
        opened
        onClose={onClose}
        position="right"
        // Mantine's scroll lock adds a <style> element, which the CSP blocks. The stylesheet locks scrolling instead.
        lockScroll={false}
        size="min(100%, 360px)"
        title={t('nav.menu')}
        closeButtonProps={{ 'aria-label': t('close'), size: 44 }}
        classNames={{ title: styles({ variant: 'title' }), content: classes.content, header: classes.content }}
      >
        <Stack as="nav" gap="l" mb="xl" aria-label={t('nav.main')}>
          {session && (
            <Section
              title={`${session.givenName} ${session.familyName}`.trim() || session.userName}
              pages={[...(session.rights.length > 0 ? (['/office'] as const) : []), ...userMenu]}
              onFollow={onClose}
            />
          )}
          {mainMenu.map(group => (
            <Section key={group.key} title={t(`nav.${group.key}`)} pages={group.pages} onFollow={onClose} />
          ))}
          <Section
            title={t('nav.more')}
            pages={[...(session?.isInstructor ? (['/courses/instructor'] as const) : []), '/photo-album', '/offline']}
            onFollow={onClose}
          />
          <Section title={t('nav.legal')} pages={topLinks.slice(0, 2)} onFollow={onClose} />
          <ColorSchemeSwitch />
          <TextSizeSwitch />
          {session && (
            <Button
              look="quiet"
              onClick={() => {
                onClose()
                requestLogout()
              }}
            >
              {t('nav.logout')}
            </Button>
          )}
        </Stack>
      </Drawer>
    </MantineRoot>
  )
}
