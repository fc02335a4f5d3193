import { IconFileTypePdf } from '@tabler/icons-react'
import { contentUrl } from '#features/system/resource.ts'
import classes from './document-row.module.css'
import { KeepButton } from './keep-button.tsx'

type Props = { fileName: string; title: string; text: string; linkText: string }

/** One document to open, in a tab of its own. */
export function DocumentRow({ fileName, title, text, linkText }: Props) {
  return (
    <div className={classes.row}>
      <a href={contentUrl(fileName)} target="_blank" rel="noopener">
        <IconFileTypePdf size={34} stroke={1.6} aria-hidden />
        <span>
          <b>{title}</b>
          {text && <span className={classes.text}>{text}</span>}
        </span>
        <span className={classes.open}>{linkText}</span>
      </a>
      <KeepButton url={contentUrl(fileName)} title={title} />
    </div>
  )
}
