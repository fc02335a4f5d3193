/** The header that says whether a file is shown or saved, and under which name; any character is allowed in the name. */
export function contentDisposition(type: 'inline' | 'attachment', fileName: string): string {
  // RFC 5987 is stricter than encodeURIComponent.
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename*=UTF-8''${encoded}`
}
