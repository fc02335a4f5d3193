import { useTranslation } from 'react-i18next'
import { Button } from '#components/button.tsx'
import { piece } from '#components/pieces.ts'
import { plainText } from '#contract/words.ts'
import { COURSE_FIELDS, type FieldKind, sayDate, sayMoment, toInput } from '../model.ts'
import type { OfficeCourse } from '../resource.ts'
import { type Options, optionsOf } from './act-fields.tsx'

type Props = { read: OfficeCourse; options: Options; onRemove?: () => void }

/** Everything that is said of a course, in groups; what is empty does not show. */
export function CourseFacts({ read: { columns }, options, onRemove }: Props) {
  const { t } = useTranslation('office-programme')
  const say = (kind: FieldKind, value: unknown): string => {
    const text = toInput(value)
    if (text === '') return ''
    if (kind === 'check') return t(value === true ? 'field.yes' : 'field.no')
    if (kind === 'date') return sayDate(text)
    if (kind === 'moment') return sayMoment(text)
    if (kind === 'money') return `${text.replace('.', ',')} €`
    if (kind === 'html') return plainText(text)
    return optionsOf(options, kind)?.find(option => option.value === text)?.label ?? text
  }
  return (
    <div className={piece('columns')}>
      {COURSE_FIELDS.map(({ group, fields }) => {
        const facts = fields
          .flatMap(({ name, kind, isPair }) => {
            const label = t(`field.${name}`)
            const second = isPair ? [{ name: `${name}2`, label: t('field.english', { label }), kind }] : []
            return [{ name, label, kind }, ...second]
          })
          .map(fact => ({ ...fact, text: say(fact.kind, columns[fact.name]) }))
          .filter(({ text }) => text !== '')
        return (
          facts.length > 0 && (
            <section key={group} className={piece('box')}>
              <h2 className={piece('heading')}>{t(`group.${group}`)}</h2>
              <dl className={piece('lined')}>
                {facts.map(({ name, label, text }) => (
                  <div key={name} className={piece('padded')}>
                    <dt className={piece('small')}>{label}</dt>
                    <dd className={piece('grow', 'written')}>{text}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        )
      })}
      {onRemove && (
        <p>
          <Button look="text" onClick={onRemove}>
            {t('act.remove-course')}
          </Button>
        </p>
      )}
    </div>
  )
}
