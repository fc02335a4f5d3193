import { useTranslation } from 'react-i18next'
import { piece } from '#components/pieces.ts'
import classes from './steps.module.css'

const STEPS = ['loginData', 'personalData', 'affiliation'] as const

export function Steps({ step }: { step: 1 | 2 | 3 }) {
  const { t } = useTranslation('accounts')
  return (
    <ol className={`${piece('row', 'close', 'small', 'below')} ${classes.steps}`} aria-label={t('steps.label')}>
      {STEPS.map((name, index) => (
        <li
          key={name}
          {...(index === step - 1 ? { 'aria-current': 'step' as const } : {})}
          data-done={index < step - 1 || undefined}
        >
          <b className={piece('name')}>{index + 1}</b> {t(`steps.${name}`)}
        </li>
      ))}
    </ol>
  )
}
