import { useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'

const SCHEMES = ['auto', 'light', 'dark'] as const

/** Follows the device unless the reader chooses. */
export function ColorSchemeSwitch() {
  const { t } = useTranslation('shell')
  // Without transitions Mantine would add a <style> element, which the page's policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <section aria-labelledby="scheme">
      <h2 id="scheme" className={piece('label')}>
        {t('scheme.title')}
      </h2>
      <div className={piece('row', 'close')}>
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
      </div>
    </section>
  )
}
