import { useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './color-scheme-switch.module.css'

const SCHEMES = ['auto', 'light', 'dark'] as const

/** Follows the device unless the reader chooses. */
export function ColorSchemeSwitch() {
  const { t } = useTranslation('shell')
  // Without transitions Mantine would add a <style> element, which the page's policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  return (
    <fieldset className={classes.switch}>
      <legend>{t('scheme.title')}</legend>
      {SCHEMES.map(scheme => (
        <label key={scheme}>
          <input type="radio" name="scheme" checked={colorScheme === scheme} onChange={() => setColorScheme(scheme)} />
          <span>{t(`scheme.${scheme}`)}</span>
        </label>
      ))}
    </fieldset>
  )
}
