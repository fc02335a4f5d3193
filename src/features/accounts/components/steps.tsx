import { useTranslation } from 'react-i18next'
import classes from './steps.module.css'

const STEPS = ['loginData', 'personalData', 'affiliation'] as const

/** Where in the registration the reader is. */
export function Steps({ step }: { step: 1 | 2 | 3 }) {
  const { t } = useTranslation('accounts')
  return (
    <ol className={classes.steps} aria-label={t('steps.label')}>
      {STEPS.map((name, place) => (
        <li
          key={name}
          {...(place === step - 1 ? { 'aria-current': 'step' as const } : {})}
          data-done={place < step - 1 || undefined}
        >
          <b>{place + 1}</b> {t(`steps.${name}`)}
        </li>
      ))}
    </ol>
  )
}
