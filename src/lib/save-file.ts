/** Downloads a blob under the given name. Characters that file systems reject are replaced. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[\\/:*?"<>|]+/g, '-')
  link.click()
  // Safari reads the object URL only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
