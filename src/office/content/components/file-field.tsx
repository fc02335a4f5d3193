import { Input } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '#lib/api.ts'
import { errorMessageOf } from '#lib/api-error.ts'
import { holdActsDuring } from '#office/frame/store.ts'
import { Field } from '#ui/field.tsx'
import { Stack, Text } from '#ui/layout.tsx'
import { CropField } from './crop-field.tsx'

type Props = {
  label: string
  /** accepted file types, as in the `accept` attribute of an input */
  accept: string
  onUploaded: (fileId: string, file: File) => void
}

/** File input that uploads the file immediately and shows a preview of pictures. */
export function FileField({ label, accept, onUploaded }: Props) {
  const { t } = useTranslation('office-content')
  const [said, setSaid] = useState('')
  const [chosen, setChosen] = useState<File | null>(null)

  const upload = async (file: File | undefined) => {
    if (!file) return
    setSaid(t('file.uploading', { name: file.name }))
    try {
      const { fileId } = await holdActsDuring(api.uploadOfficeFile({ file }))
      setSaid(t('file.uploaded', { name: file.name }))
      onUploaded(fileId, file)
    } catch (error) {
      setSaid(errorMessageOf(error, t('file.failed'), t('office:fileTooLarge')))
    }
  }
  const choose = (file: File | undefined) => {
    setChosen(file ?? null)
    upload(file)
  }
  return (
    <Stack gap="s">
      <Field label={label}>
        <Input type="file" accept={accept} onChange={event => choose(event.currentTarget.files?.[0])} />
      </Field>
      {chosen?.type.startsWith('image/') && <CropField key={chosen.name} file={chosen} onCropped={upload} />}
      <Text role="status" size="s" flush>
        {said}
      </Text>
    </Stack>
  )
}
