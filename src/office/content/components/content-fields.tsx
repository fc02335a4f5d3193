import { Input } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CONTENT_ITEM_TYPES } from '#contract/content-words.ts'
import type { ActDraft } from '#office/frame/act-store.ts'
import { ChoiceField } from '#ui/choice-field.tsx'
import { CleanHtml } from '#ui/clean-html.tsx'
import { Field } from '#ui/field.tsx'
import { Card, Columns, Stack, Text } from '#ui/layout.tsx'
import { TextField } from '#ui/text-field.tsx'
import { FileField } from './file-field.tsx'

type Fields<Kind extends 'save-content' | 'save-album' | 'save-photo' | 'save-page'> = {
  act: ActDraft<Kind>
  change(fields: Partial<ActDraft<Kind>>): void
}

const PICTURES = '.jpg,.jpeg,.png,.webp,.avif,.svg'
const DOCUMENTS = `.pdf,.docx,.xlsx,.ics,${PICTURES}`
export function ItemFields({ act, change }: Fields<'save-content'>) {
  const { t } = useTranslation('office-content')
  return (
    <>
      <ChoiceField
        name="contentType"
        label={t('item.type')}
        value={act.contentType ?? ''}
        options={CONTENT_ITEM_TYPES.map(type => ({ value: type, label: t(`type.${type}`) }))}
        onChange={contentType => change({ contentType })}
      />
      <BilingualTextFields label={t('item.title')} names={['text1', 'text3']} act={act} change={change} isHtml />
      <BilingualTextFields label={t('item.text')} names={['text2', 'text4']} act={act} change={change} isHtml />
      <BilingualTextFields
        label={t('item.linkText')}
        rows={1}
        names={['linkText', 'linkText2']}
        act={act}
        change={change}
      />
      <TextField
        label={t('item.link')}
        hint={t('item.linkHint')}
        value={act.link ?? ''}
        onChange={link => change({ link })}
      />
      <FileField label={t('item.picture')} accept={PICTURES} onUploaded={pictureFileId => change({ pictureFileId })} />
      <FileField label={t('item.document')} accept={DOCUMENTS} onUploaded={fileId => change({ fileId })} />
    </>
  )
}

/** Warning in the preview that an album of participants becomes public. */
export function BecomesPublic({ result }: { result: Record<string, unknown> }) {
  const { t } = useTranslation('office-content')
  return result.becomesPublic === true && <Text flush>{t('album.becomesPublic')}</Text>
}

export function AlbumFields({ act, change }: Fields<'save-album'>) {
  const { t } = useTranslation('office-content')
  return (
    <>
      <BilingualTextFields label={t('album.name')} rows={1} names={['name', 'name2']} act={act} change={change} />
      <BilingualTextFields
        label={t('album.description')}
        names={['description', 'description2']}
        act={act}
        change={change}
      />
      <TextField
        label={t('album.course')}
        hint={t('album.courseHint')}
        value={act.courseNumber ?? ''}
        onChange={courseNumber => change({ courseNumber })}
      />
      <FileField label={t('album.thumbnail')} accept={PICTURES} onUploaded={fileId => change({ fileId })} />
    </>
  )
}

export function PhotoFields({ change }: Fields<'save-photo'>) {
  const { t } = useTranslation('office-content')
  return <FileField label={t('photo.file')} accept={PICTURES} onUploaded={fileId => change({ fileId })} />
}

export function PageFields({ act, change }: Fields<'save-page'>) {
  const { t } = useTranslation('office-content')
  return (
    <BilingualTextFields label={t('page.text')} rows={10} names={['text', 'text2']} act={act} change={change} isHtml />
  )
}

type Props<Act> = {
  label: string
  /** names of the two fields that contain the German and the English text in the data of the action */
  names: readonly [keyof Act & string, keyof Act & string]
  act: Act
  change(fields: Record<string, unknown>): void
  rows?: number
  /** whether to show a preview of the sanitized HTML */
  isHtml?: boolean
}

/** Inputs for a text in both languages, side by side. */
function BilingualTextFields<Act extends object>(props: Props<Act>) {
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
