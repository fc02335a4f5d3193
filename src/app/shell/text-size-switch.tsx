import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { Row, Text } from '#components/layout.tsx'
import { readSetting, writeSetting } from '#lib/settings.ts'

/** In percent of the device's text size; tokens.css has a rule for each. */
const SIZES = ['100', '125', '150']
/** The key that public/boot.js reads before the first paint. */
const KEY = 'TextSize'

/** Enlarges the text of all screens on this device, in addition to the browser's own setting. */
export function TextSizeSwitch() {
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
