import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '#components/text-field.tsx'
import { lacksOfPassword, PASSWORD_MIN_SCORE, type PasswordLack } from '#contract/password-rules.ts'
import { readLanguage } from '#lib/language.ts'
import { judgeStrength, type Strength } from '../strength-model.ts'
import classes from './new-password-fields-card.module.css'

const NEEDS: PasswordLack[] = ['length', 'upperCase', 'lowerCase', 'digitOrSpecial']

type Props = {
  password: string
  confirmPassword: string
  onChange: (password: string, confirmPassword: string) => void
  /** what an attacker knows of the person: the e-mail, names */
  personalWords: string[]
  errors: { password?: string | undefined; confirmPassword?: string | undefined }
  onTouch: (field: 'password' | 'confirmPassword') => void
}

/** A new password and its repetition, with what it still lacks and how strong it is. */
export function NewPasswordFields({ password, confirmPassword, onChange, personalWords, errors, onTouch }: Props) {
  const { t } = useTranslation('session')
  const [strength, setStrength] = useState<Strength | null>(null)
  const lacks = lacksOfPassword(password)
  const known = personalWords.join(' ')
  useEffect(() => {
    setStrength(null)
    if (password === '') return
    let isCurrent = true
    const timer = setTimeout(() => {
      judgeStrength(password, known.split(' ').filter(Boolean), readLanguage())
        .then(found => isCurrent && setStrength(found))
        // Without a network the dictionaries are missing; the server judges anyway.
        .catch(() => undefined)
    }, 250)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [password, known])

  const reveal = { show: t('password.show'), hide: t('password.hide') }
  const isStrong = strength !== null && strength.score >= PASSWORD_MIN_SCORE && lacks.length === 0
  return (
    <>
      <TextField
        label={t('password.new')}
        name="password"
        type="password"
        autoComplete="new-password"
        maxLength={50}
        required
        value={password}
        onChange={value => onChange(value, confirmPassword)}
        onBlur={() => onTouch('password')}
        reveal={reveal}
        error={errors.password}
        hint={
          <>
            <ul className={classes.needs}>
              {NEEDS.map(need => (
                <li key={need} data-met={password !== '' && !lacks.includes(need) ? true : undefined}>
                  {t(`password.need.${need}`)}
                </li>
              ))}
            </ul>
            {strength && (
              <div role="status" className={classes.strength} data-strong={isStrong || undefined}>
                <meter min={0} max={4} low={PASSWORD_MIN_SCORE} optimum={4} value={strength.score} aria-hidden />
                <span>
                  {t(`password.score.${strength.score}`)} {strength.advice.join(' ')}
                </span>
              </div>
            )}
          </>
        }
      />
      <TextField
        label={t('password.repeat')}
        name="confirmPassword"
        type="password"
        autoComplete="new-password"
        maxLength={50}
        required
        value={confirmPassword}
        onChange={value => onChange(password, value)}
        onBlur={() => onTouch('confirmPassword')}
        reveal={reveal}
        error={errors.confirmPassword}
      />
    </>
  )
}
