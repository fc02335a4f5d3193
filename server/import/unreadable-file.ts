import type { Message } from './messages.ts'

/** Unreadable file; the reason completes a sentence that starts with the file name. */
export class UnreadableFile extends Error {
  readonly said: Message

  constructor(text: Message) {
    super(text.in('en'))
    this.name = 'BadFile'
    this.said = text
  }
}
