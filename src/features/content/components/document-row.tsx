import { IconFileTypePdf } from '#components/icons.ts'
import { piece } from '#components/pieces.ts'
import { contentUrl } from '#features/system/resource.ts'
import { SaveOfflineButton } from './save-offline-button.tsx'

type Props = { fileName: string; title: string; text: string; linkText: string }

export function DocumentRow({ fileName, title, text, linkText }: Props) {
  return (
    <div className={piece('row', 'entry', 'below')}>
      <a className={piece('row', 'grow', 'quiet')} href={contentUrl(fileName)} target="_blank" rel="noopener">
        <IconFileTypePdf size={34} stroke={1.6} className={piece('signal')} />
        <span className={piece('grow')}>
          <b className={piece('name')}>{title}</b>
          {text && <span className={piece('small')}>{text}</span>}
        </span>
        <span className={piece('action')}>{linkText}</span>
      </a>
      <SaveOfflineButton url={contentUrl(fileName)} title={title} />
    </div>
  )
}
