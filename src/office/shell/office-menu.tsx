import { Drawer } from '@mantine/core'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import { useTranslation } from 'react-i18next'
import { switchLanguage } from '#app/language-effects.ts'
import { requestLogout } from '#app/logout.ts'
import { ColorSchemeSwitch } from '#app/shell/color-scheme-switch.tsx'
import { useSession } from '#features/session/store.ts'
import { useLanguage } from '#lib/use-language.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Box, Stack, Text } from '#ui/layout.tsx'
import { styles } from '#ui/styles.ts'
import { useCloseOnBack } from '#ui/use-close-on-back.ts'
import { SectionLinks } from './navigation-rail.tsx'
import type { OfficeSection } from './office-navigation.ts'
import type { OfficeSectionKey } from './office-sections.ts'

type Props = {
  places: readonly OfficeSection[]
  here: OfficeSectionKey | undefined
  onKeys: () => void
  onClose: () => void
}

/** Menu for account and appearance. On phones it also contains the office UI sections that the bottom bar lacks. */
export function OfficeMenu({ places, here, onKeys, onClose }: Props) {
  const { t } = useTranslation('office')
  const session = useSession(state => state.session)
  const other = useLanguage() === 'de' ? 'en' : 'de'
  useCloseOnBack(onClose)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="left"
      // Mantine's scroll lock adds a <style> element, which the CSP blocks. The stylesheet locks scrolling instead.
      lockScroll={false}
      size="min(100%, 320px)"
      title={`${session?.givenName ?? ''} ${session?.familyName ?? ''}`.trim() || session?.userName}
      closeButtonProps={{ 'aria-label': t('shell:close'), size: 44 }}
      classNames={{ title: styles({ variant: 'title' }) }}
    >
      <Stack gap="l">
        <Box as="nav" only="phone" aria-label={t('nav.label')}>
          <SectionLinks places={places} here={here} onFollow={onClose} />
        </Box>
        <ColorSchemeSwitch />
        <Button look="quiet" lang={other} onClick={() => void switchLanguage(other)}>
          {t('shell:otherLanguage')}
        </Button>
        <Text as="span" only="wide">
          <Button
            look="quiet"
            onClick={() => {
              onClose()
              onKeys()
            }}
          >
            {t('keys.title')}
          </Button>
        </Text>
        <ButtonLink look="quiet" href="/home">
          {t('nav.portal')}
        </ButtonLink>
        <Button
          look="quiet"
          onClick={() => {
            onClose()
            requestLogout()
          }}
        >
          {t('shell:nav.logout')}
        </Button>
      </Stack>
    </Drawer>
  )
}
