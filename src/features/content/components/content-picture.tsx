import type { ComponentProps } from 'react'
import { contentPicture } from '#features/system/resource.ts'
import { Picture } from '#ui/picture.tsx'

type Props = Omit<ComponentProps<typeof Picture>, 'src' | 'srcSet'> & { of: { pictureFileName: string } }

/** The picture of an item, if it has one. */
export const ContentPicture = ({ of: { pictureFileName }, ...picture }: Props) =>
  pictureFileName && <Picture {...contentPicture(pictureFileName)} {...picture} />
