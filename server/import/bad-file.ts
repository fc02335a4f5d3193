import type { Said } from './said.ts'

/** Unreadable file; the reason completes a sentence that starts with the file name. */
export class BadFile extends Error {
  readonly said: Said

  constructor(text: Said) {
    super(text.in('en'))
    this.name = 'BadFile'
    this.said = text
  }
}
