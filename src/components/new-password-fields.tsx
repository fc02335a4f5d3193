import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readLanguage } from '#lib/language.ts'
import { isAcceptable, judgeStrength, needsOf, type Strength } from '#lib/password-strength.ts'
import classes from './new-password-fields.module.css'
import { TextField } from './text-field.tsx'

type Field = 'password' | 'confirmPassword'
type Props = {
  password: string
  confirmPassword: string
  onChange: (field: Field, value: string) => void
  /** what an attacker knows of the person: the e-mail, names */
  personalWords: string[]
  errorOf: (field: Field) => string | undefined
  onTouch: (field: Field) => void
}

/** Long enough that fast typing asks once. */
const PAUSE_MS = 250

/** The judgement on a password once the typing pauses; null while there is none. */
function useStrength(password: string, personalWords: string[]): Strength | null {
  const [strength, setStrength] = useState<Strength | null>(null)
  const words = personalWords.filter(Boolean).join(' ')
  useEffect(() => {
    if (password === '') return setStrength(null)
    let isCurrent = true
    const timer = setTimeout(() => {
      judgeStrength({ password, personalWords: words.split(' '), language: readLanguage() }).then(
        found => isCurrent && setStrength(found),
        // Without a network there are no dictionaries; the server judges anyway.
        () => isCurrent && setStrength(null),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [password, words])
  return strength
}

/** A new password and its repetition, with what it still lacks and how strong it is. Nothing stops pasting. */
export function NewPasswordFields({ password, confirmPassword, onChange, personalWords, errorOf, onTouch }: Props) {
  const { t } = useTranslation('session')
  const strength = useStrength(password, personalWords)
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
          <>
            <ul className={classes.needs}>
              {needsOf(password).map(({ need, isMet }) => (
                <li key={need} data-met={isMet || undefined}>
                  {t(`password.need.${need}`)}
                  {isMet && <span className="visually-hidden">: {t('password.met')}</span>}
                </li>
              ))}
            </ul>
            <div role="status" className={classes.strength}>
              {strength && (
                <>
                  <span className={classes.bar} data-score={strength.score} aria-hidden>
                    {[1, 2, 3, 4].map(step => (
                      <i key={step} data-on={step <= Math.max(strength.score, 1) || undefined} />
                    ))}
                  </span>
                  <b data-good={isAcceptable(password, strength) || undefined}>
                    {t(`password.score.${strength.score}`)}
                  </b>{' '}
                  {strength.advice.join(' ')}
                </>
              )}
            </div>
          </>
        }
      />
      <TextField {...fieldOf('confirmPassword')} label={t('password.repeat')} value={confirmPassword} />
    </>
  )
}
