import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CleanHtml } from '#components/clean-html.tsx'
import { Field } from '#components/field.tsx'
import { piece } from '#components/pieces.ts'

type Props = {
  label: string
  /** in both languages */
  values: readonly [string, string]
  onChange: (values: [string, string]) => void
  rows?: number
  /** shows below what a visitor will see */
  isHtml?: boolean
}

/** One text in both languages, side by side, and what a visitor will see of it. */
export function TwoTexts({ label, values, onChange, rows = 3, isHtml = false }: Props) {
  const { t } = useTranslation('office-content')
  const set = (index: number, text: string) => onChange(index === 0 ? [text, values[1]] : [values[0], text])
  return (
    <div className={piece('columns')}>
      {(['de', 'en'] as const).map((language, index) => (
        <div key={language} className={piece('stack', 'close')}>
          <Field label={t(`in.${language}`, { label })}>
            <Input
              component="textarea"
              multiline
              rows={rows}
              value={values[index] ?? ''}
              onChange={event => set(index, event.currentTarget.value)}
            />
          </Field>
          {isHtml && (
            <section className={piece('box')} aria-label={t(`preview.${language}`, { label })} lang={language}>
              <CleanHtml html={values[index] || values[0]} />
            </section>
          )}
        </div>
      ))}
    </div>
  )
}
