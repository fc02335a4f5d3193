import { useTranslation } from 'react-i18next'
import { useOnline } from '#lib/online.ts'
import { Notice, Row, Text } from '#ui/layout.tsx'
import classes from './registration-steps.module.css'

const STEPS = ['loginData', 'personalData', 'affiliation'] as const

/** The steps of the registration, with a warning while it could not be sent. */
export function RegistrationSteps({ step }: { step: 1 | 2 | 3 }) {
  const { t } = useTranslation('accounts')
  const isOnline = useOnline(state => state.isOnline)
  return (
    <>
      {!isOnline && <Notice>{t('steps.offline')}</Notice>}
      <Row as="ol" gap="s" size="s" mb="xl" className={classes.steps} aria-label={t('steps.label')}>
        {STEPS.map((name, index) => (
          <li
            key={name}
            {...(index === step - 1 ? { 'aria-current': 'step' as const } : {})}
            data-done={index < step - 1 || undefined}
          >
            <Text as="b" variant="name">
              {index + 1}
            </Text>{' '}
            {t(`steps.${name}`)}
          </li>
        ))}
      </Row>
    </>
  )
}
