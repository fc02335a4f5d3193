import { useTranslation } from 'react-i18next'
import { COLOR_SCHEMES, chooseColorScheme, useColorScheme } from '#lib/color-scheme.ts'
import classes from './color-scheme-switch.module.css'

/** Follows the device unless the reader chooses. */
export function ColorSchemeSwitch() {
  const { t } = useTranslation('shell')
  const chosen = useColorScheme(state => state.scheme)
  return (
    <fieldset className={classes.switch}>
      <legend>{t('scheme.title')}</legend>
      {COLOR_SCHEMES.map(scheme => (
        <label key={scheme}>
          <input type="radio" name="scheme" checked={chosen === scheme} onChange={() => chooseColorScheme(scheme)} />
          <span>{t(`scheme.${scheme}`)}</span>
        </label>
      ))}
    </fieldset>
  )
}
