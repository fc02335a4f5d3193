/** HTML tags allowed in programme texts, for the import's sanitizer and the app. Everything else is escaped to text. */
export const HTML_BLOCKS = ['p', 'ul', 'ol', 'li', 'h3', 'h4', 'table', 'tbody', 'tr', 'th', 'td']
export const HTML_INLINES = ['strong', 'b', 'em', 'i', 'u', 'a']
export const HTML_TAGS = [...HTML_BLOCKS, ...HTML_INLINES, 'br']
export const LINK_SCHEMES = ['http', 'https', 'mailto']
