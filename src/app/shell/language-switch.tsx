import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { useLanguage } from '#lib/use-language.ts'
import { switchLanguage } from '../language-effects.ts'
import classes from './header.module.css'

/** Switches between German and English and returns to the start page. */
export function LanguageSwitch() {
  const { t } = useTranslation('shell')
  const [, navigate] = useLocation()
  const other = useLanguage() === 'de' ? 'en' : 'de'
  return (
    <button
      type="button"
      className={classes.item}
      lang={other}
      onClick={async () => {
        await switchLanguage(other)
        navigate('/')
      }}
    >
      <span aria-hidden>{other.toUpperCase()}</span>
      <span className="visually-hidden">{t('otherLanguage')}</span>
    </button>
  )
}
