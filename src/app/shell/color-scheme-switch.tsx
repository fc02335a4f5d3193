import { useTranslation } from 'react-i18next'
import { Button } from '#ui/button.tsx'
import { useColorScheme } from '#ui/color-scheme.ts'
import { Row, Text } from '#ui/layout.tsx'

const SCHEMES = ['auto', 'light', 'dark'] as const

/** Follows the system setting unless the user selects a scheme. */
export function ColorSchemeSwitch() {
  const { t } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useColorScheme()
  return (
    <section aria-labelledby="scheme">
      <Text as="h2" id="scheme" variant="label">
        {t('scheme.title')}
      </Text>
      <Row gap="s">
        {SCHEMES.map(scheme => (
          <Button
            key={scheme}
            look="quiet"
            isPill
            isWide
            aria-pressed={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`scheme.${scheme}`)}
          </Button>
        ))}
      </Row>
    </section>
  )
}
