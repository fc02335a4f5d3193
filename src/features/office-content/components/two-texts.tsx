import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CleanHtml } from '#ui/clean-html.tsx'
import { Field } from '#ui/field.tsx'
import { Card, Columns, Stack } from '#ui/layout.tsx'

type Props<Act> = {
  label: string
  /** names of the act's fields that contain the text in German and in English */
  names: readonly [keyof Act & string, keyof Act & string]
  act: Act
  change(fields: Record<string, unknown>): void
  rows?: number
  /** whether to show a preview of the sanitized HTML */
  isHtml?: boolean
}

/** Inputs for a text in both languages, side by side. */
export function BilingualTextFields<Act extends object>(props: Props<Act>) {
  const { label, names, act, change, rows = 3, isHtml = false } = props
  const { t } = useTranslation('office-content')
  const texts = Object.fromEntries(names.map(name => [name, String(act[name] ?? '')]))
  const [german, english] = names
  return (
    <Columns>
      {(
        [
          ['de', german],
          ['en', english],
        ] as const
      ).map(([language, name]) => (
        <Stack key={language} gap="s">
          <Field label={t(`in.${language}`, { label })}>
            <Input
              component="textarea"
              multiline
              rows={rows}
              value={texts[name]}
              onChange={event => change({ ...texts, [name]: event.currentTarget.value })}
            />
          </Field>
          {isHtml && (
            <Card aria-label={t(`preview.${language}`, { label })} lang={language}>
              <CleanHtml html={texts[name] || texts[german] || ''} />
            </Card>
          )}
        </Stack>
      ))}
    </Columns>
  )
}
