import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { useColorScheme } from '#components/color-scheme.ts'
import { piece } from '#components/pieces.ts'

const SCHEMES = ['auto', 'light', 'dark'] as const

/** Follows the system setting unless the user selects a scheme. */
export function ColorSchemeSwitch() {
  const { t } = useTranslation('shell')
  const { colorScheme, setColorScheme } = useColorScheme()
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
