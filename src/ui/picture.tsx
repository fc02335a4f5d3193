import type { ComponentProps, SyntheticEvent } from 'react'

const MISSING = '/icons/no-picture.svg'

function showMissing({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>): void {
  if (picture.getAttribute('src') === MISSING) return
  picture.srcset = ''
  picture.src = MISSING
}

type Props = ComponentProps<'img'> & {
  src: string
  /** width in the layout before the picture is loaded, to prevent layout shift */
  width: number
  height: number
  /** above the fold, so it is fetched with high priority; other pictures are loaded lazily */
  isFirst?: boolean
}

/** Decorative picture of the programme. If it cannot be loaded, court lines are shown instead. */
export function Picture({ isFirst = false, ...picture }: Props) {
  return (
    <img
      alt=""
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      decoding="async"
      // A different source resets the error state.
      key={picture.src}
      onError={showMissing}
      {...picture}
    />
  )
}
