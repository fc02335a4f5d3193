/** HTML tags allowed in programme texts, both by the import's sanitizer and by the app. All other markup is escaped. */
export const HTML_BLOCK_TAGS = ['p', 'ul', 'ol', 'li', 'h3', 'h4', 'table', 'tbody', 'tr', 'th', 'td']
export const HTML_INLINE_TAGS = ['strong', 'b', 'em', 'i', 'u', 'a']
export const HTML_TAGS = [...HTML_BLOCK_TAGS, ...HTML_INLINE_TAGS, 'br']
export const LINK_SCHEMES = ['http', 'https', 'mailto']
