import type { Language } from '#contract/values.ts'
import { germanMessages } from './messages.de.ts'

/** Serialized message, for JSON and structured cloning between threads. */
export type SaidData = { strings: readonly string[]; values: readonly (string | number | SaidData)[] }

/** Translatable message: written in English in the code; the German translations are in one table. */
export class Message {
  readonly #strings: readonly string[]
  readonly #values: readonly (string | number | Message)[]

  constructor(strings: readonly string[], values: readonly (string | number | Message)[]) {
    this.#strings = strings
    this.#values = values
  }

  static fromData({ strings, values }: SaidData): Message {
    return new Message(
      strings,
      values.map(value => (typeof value === 'object' ? Message.fromData(value) : value)),
    )
  }

  toJSON(): SaidData {
    return {
      strings: this.#strings,
      values: this.#values.map(value => (value instanceof Message ? value.toJSON() : value)),
    }
  }

  in(language: Language): string {
    const english = this.#strings.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join('')
    const sentence = language === 'de' ? germanMessages[english] : english
    if (sentence === undefined) throw new Error(`no German for ${english}`)
    return sentence.replace(/\{(\d+)\}/g, (_, index) => {
      const value = this.#values[Number(index)] ?? ''
      return value instanceof Message ? value.in(language) : String(value)
    })
  }
}

/** said`${name} stands twice` */
export const message = (strings: TemplateStringsArray, ...values: (string | number | Message)[]): Message =>
  new Message(strings.raw, values)
