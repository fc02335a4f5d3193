import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type PasswordOwner,
  type PasswordStrength,
  passwordRequirements,
  ratePasswordStrength,
} from '#lib/password-strength.ts'
import { Box, Row, Stack } from './layout.tsx'
import { styles } from './styles.ts'
import { TextField } from './text-field.tsx'

type Field = 'password' | 'confirmPassword'
type Props = {
  password: string
  confirmPassword: string
  onChange: (field: Field, value: string) => void
  /** personal data that an attacker may know */
  owner: PasswordOwner
  errorOf: (field: Field) => string | undefined
  onTouch: (field: Field) => void
}

/** Debounce delay in ms, long enough that typing fast triggers a single check. */
const PAUSE_MS = 250

/** Debounced strength of a password; null while it is unknown. */
function useStrength(
  password: string,
  { email, givenName = '', familyName = '' }: PasswordOwner,
): PasswordStrength | null {
  const [strength, setStrength] = useState<PasswordStrength | null>(null)
  useEffect(() => {
    if (password === '') return setStrength(null)
    let isCurrent = true
    const timer = setTimeout(() => {
      ratePasswordStrength(password, { email, givenName, familyName }).then(
        found => isCurrent && setStrength(found),
        // The dictionaries may be missing while offline. The server checks the password in any case.
        () => isCurrent && setStrength(null),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [password, email, givenName, familyName])
  return strength
}

/** Fields for a new password and its confirmation, with unmet requirements and a strength meter. Pasting is allowed. */
export function NewPasswordFields({ password, confirmPassword, onChange, owner, errorOf, onTouch }: Props) {
  const { t } = useTranslation('session')
  const strength = useStrength(password, owner)
  const needs = passwordRequirements(password, strength)
  const isWeak = needs.some(({ need, isMet }) => need === 'hardToGuess' && !isMet)
  const isGood = needs.every(({ isMet }) => isMet)
  const share = strength ? Math.max(strength.score, 1) : 0
  const fieldOf = (field: Field) => ({
    name: field,
    type: 'password',
    autoComplete: 'new-password',
    required: true,
    onChange: (value: string) => onChange(field, value),
    onBlur: () => onTouch(field),
    reveal: { show: t('password.show'), hide: t('password.hide') },
    error: errorOf(field),
  })
  return (
    <>
      <TextField
        {...fieldOf('password')}
        label={t('password.new')}
        value={password}
        hint={
          <Stack gap="xs">
            <Row as="ul" compact>
              {needs.map(({ need, isMet }) => (
                <li key={need} className={isMet ? styles({ tone: 'good' }) : ''}>
                  <span aria-hidden>{isMet ? '✓ ' : '○ '}</span>
                  {t(`password.need.${need}`)}
                  {isMet && <span className="visually-hidden">: {t('password.met')}</span>}
                </li>
              ))}
            </Row>
            <Box role="status" hideEmpty>
              {/* The meter is rendered from the first keystroke. If it appeared later, it would shift the layout. */}
              {password !== '' && (
                <>
                  <progress
                    className={styles({
                      base: 'gauge',
                      block: true,
                      tone: share > 2 ? 'good' : share > 1 ? 'todo' : 'bad',
                    })}
                    max={4}
                    value={share}
                    aria-hidden
                  />
                  {strength ? (
                    <b className={isGood ? styles({ tone: 'good' }) : ''}>
                      {isGood || isWeak ? t(`password.score.${strength.score}`) : t('password.incomplete')}
                    </b>
                  ) : (
                    <br />
                  )}{' '}
                  {strength?.reason && t(`password.advice.${strength.reason}`)}
                </>
              )}
            </Box>
          </Stack>
        }
      />
      <TextField {...fieldOf('confirmPassword')} label={t('password.repeat')} value={confirmPassword} />
    </>
  )
}
