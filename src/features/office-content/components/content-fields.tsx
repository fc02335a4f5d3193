import { useTranslation } from 'react-i18next'
import { ChoiceField } from '#components/choice-field.tsx'
import { TextField } from '#components/text-field.tsx'
import { CONTENT_TYPES } from '#contract/content-words.ts'
import type { Draft } from '#features/office/act-store.ts'
import { FileField } from './file-field.tsx'
import { TwoTexts } from './two-texts.tsx'

type Fields<Kind extends 'save-content' | 'save-album' | 'save-photo' | 'save-page'> = {
  act: Draft<Kind>
  change(fields: Partial<Draft<Kind>>): void
}

const PICTURES = '.jpg,.jpeg,.png,.webp,.avif,.svg'
const DOCUMENTS = `.pdf,.docx,.xlsx,.ics,${PICTURES}`
export function ItemFields({ act, change }: Fields<'save-content'>) {
  const { t } = useTranslation('office-content')
  const { text1 = '', text2 = '', text3 = '', text4 = '', linkText = '', linkText2 = '', link = '' } = act
  return (
    <>
      <ChoiceField
        name="contentType"
        label={t('item.type')}
        value={act.contentType ?? ''}
        options={CONTENT_TYPES.map(type => ({ value: type, label: t(`type.${type}`) }))}
        onChange={contentType => change({ contentType })}
      />
      <TwoTexts
        label={t('item.title')}
        values={[text1, text3]}
        onChange={([text1, text3]) => change({ text1, text3 })}
        isHtml
      />
      <TwoTexts
        label={t('item.text')}
        values={[text2, text4]}
        onChange={([text2, text4]) => change({ text2, text4 })}
        isHtml
      />
      <TwoTexts
        label={t('item.linkText')}
        rows={1}
        values={[linkText, linkText2]}
        onChange={([linkText, linkText2]) => change({ linkText, linkText2 })}
      />
      <TextField label={t('item.link')} hint={t('item.linkHint')} value={link} onChange={link => change({ link })} />
      <FileField label={t('item.picture')} accept={PICTURES} onUploaded={pictureFileId => change({ pictureFileId })} />
      <FileField label={t('item.document')} accept={DOCUMENTS} onUploaded={fileId => change({ fileId })} />
    </>
  )
}

export function AlbumFields({ act, change }: Fields<'save-album'>) {
  const { t } = useTranslation('office-content')
  const { name = '', name2 = '', description = '', description2 = '', courseNumber = '' } = act
  return (
    <>
      <TwoTexts
        label={t('album.name')}
        rows={1}
        values={[name, name2]}
        onChange={([name, name2]) => change({ name, name2 })}
      />
      <TwoTexts
        label={t('album.description')}
        values={[description, description2]}
        onChange={([description, description2]) => change({ description, description2 })}
      />
      <TextField
        label={t('album.course')}
        hint={t('album.courseHint')}
        value={courseNumber}
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
  const { text = '', text2 = '' } = act
  return (
    <TwoTexts
      label={t('page.text')}
      rows={10}
      values={[text, text2]}
      onChange={([text, text2]) => change({ text, text2 })}
      isHtml
    />
  )
}
