import type { ComponentProps, SyntheticEvent } from 'react'

const MISSING = '/icons/no-picture.svg'

function showMissing({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>): void {
  if (picture.getAttribute('src') === MISSING) return
  picture.srcset = ''
  picture.src = MISSING
}

type Props = ComponentProps<'img'> & {
  src: string
  /** as laid out before it has come: nothing moves when it does */
  width: number
  height: number
  /** among the first things that are seen: fetched before the others; the rest comes when it is scrolled to */
  isFirst?: boolean
}

/** A picture of the programme that says nothing the text beside it does not. One that does not come leaves court lines. */
export function Picture({ isFirst = false, ...picture }: Props) {
  return (
    <img
      alt=""
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      // A picture in the place of another gets its own try.
      key={picture.src}
      onError={showMissing}
      {...picture}
    />
  )
}
