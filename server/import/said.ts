import type { Language } from '#contract/values.ts'
import { germanSentences } from './german.ts'

/** Serialized message, for JSON and structured cloning between threads. */
export type SaidData = { strings: readonly string[]; values: readonly (string | number | SaidData)[] }

/** Translatable message: written in English in the code; the German translations are in one table. */
export class Said {
  readonly #strings: readonly string[]
  readonly #values: readonly (string | number | Said)[]

  constructor(strings: readonly string[], values: readonly (string | number | Said)[]) {
    this.#strings = strings
    this.#values = values
  }

  static fromData({ strings, values }: SaidData): Said {
    return new Said(
      strings,
      values.map(value => (typeof value === 'object' ? Said.fromData(value) : value)),
    )
  }

  toJSON(): SaidData {
    return {
      strings: this.#strings,
      values: this.#values.map(value => (value instanceof Said ? value.toJSON() : value)),
    }
  }

  in(language: Language): string {
    const english = this.#strings.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join('')
    const sentence = language === 'de' ? germanSentences[english] : english
    if (sentence === undefined) throw new Error(`no German for ${english}`)
    return sentence.replace(/\{(\d+)\}/g, (_, index) => {
      const value = this.#values[Number(index)] ?? ''
      return value instanceof Said ? value.in(language) : String(value)
    })
  }
}

/** said`${name} stands twice` */
export const said = (strings: TemplateStringsArray, ...values: (string | number | Said)[]): Said =>
  new Said(strings.raw, values)
