import type { WebContentItem } from '../endpoints/content.ts'

/** A content item with just the given texts. */
export const contentItem = (
  contentType: WebContentItem['contentType'],
  texts: Partial<WebContentItem> = {},
): WebContentItem => ({
  contentType,
  pictureFileName: '',
  fileName: '',
  linkText: '',
  linkText2: '',
  link: '',
  text1: '',
  text2: '',
  text3: '',
  text4: '',
  text5: '',
  ...texts,
})
