import { Input } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#components/field.tsx'
import { piece } from '#components/pieces.ts'
import { uploadOfficeFile } from '#features/office-content/api.ts'
import { messageOf } from '#lib/api-error.ts'

type Props = {
  label: string
  /** as in the platform's own input */
  accept: string
  onUploaded: (fileId: string, file: File) => void
}

/** A file that is uploaded as soon as it is chosen; a picture shows at once. */
export function FileField({ label, accept, onUploaded }: Props) {
  const { t } = useTranslation('office-content')
  const [said, setSaid] = useState('')
  const [shown, setShown] = useState<string | null>(null)
  useEffect(() => () => void (shown && URL.revokeObjectURL(shown)), [shown])

  const upload = async (file: File | undefined) => {
    if (!file) return
    setSaid(t('file.uploading', { name: file.name }))
    try {
      const fileId = await uploadOfficeFile(file)
      setShown(file.type.startsWith('image/') ? URL.createObjectURL(file) : null)
      setSaid(t('file.uploaded', { name: file.name }))
      onUploaded(fileId, file)
    } catch (error) {
      setSaid(messageOf(error, t('file.failed')))
    }
  }
  return (
    <div className={piece('stack', 'close')}>
      <Field label={label}>
        <Input type="file" accept={accept} onChange={event => upload(event.currentTarget.files?.[0])} />
      </Field>
      {shown && <img src={shown} alt="" width="240" />}
      <p role="status" className={piece('small', 'flush')}>
        {said}
      </p>
    </div>
  )
}
