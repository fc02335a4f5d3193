/** For clients that do not read `filename*`: ASCII characters that need no escaping (RFC 6266, appendix D). */
const toAscii = (fileName: string): string =>
  fileName
    .replace(/ß/g, 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\%]/gu, '_')

/** Content-Disposition header; the file name may contain any character. */
export function contentDisposition(type: 'inline' | 'attachment', fileName: string): string {
  // RFC 5987 allows fewer characters than encodeURIComponent leaves unescaped.
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${toAscii(fileName.toWellFormed())}"; filename*=UTF-8''${encoded}`
}
