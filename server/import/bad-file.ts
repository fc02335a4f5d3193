import type { Said } from './said.ts'

/** A file that cannot be read, with the reason as the rest of a sentence that begins with its name. */
export class BadFile extends Error {
  readonly said: Said

  constructor(text: Said) {
    super(text.in('en'))
    this.name = 'BadFile'
    this.said = text
  }
}
