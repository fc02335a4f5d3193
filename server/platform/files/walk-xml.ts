import { Parser } from 'saxen'

/** Returns the decoded value of an attribute; '' if it is missing. */
export type AttributeOf = (name: string) => string
export type XmlReader = {
  open: (tag: string, attributeOf: AttributeOf) => void
  close?: (tag: string) => void
  text?: (text: string) => void
}

/** Decodes numeric references beyond U+FFFF, which saxen cuts to 16 bits. */
function decodeAstral(text: string): string {
  // Most texts have no reference, and a search costs less than a replacement.
  if (!text.includes('&#')) return text
  return text.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (reference, hex?: string, decimal?: string) => {
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    if (code <= 0xffff) return reference
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
  })
}

/**
 * Parses XML with a SAX parser. Names are reported without namespace prefix, and custom entities are not resolved.
 * Attributes are parsed only on demand, because a tag can have hundreds of thousands of them.
 * @param toError creates the error to throw for XML that is not well-formed
 */
export function walkXml(xml: string, { open, close, text }: XmlReader, toError: (why: string) => Error): void {
  const bare = (name: string) => name.slice(name.indexOf(':') + 1)
  const parser = new Parser()
    .on('openTag', (tag, attributes, decode) => {
      open(bare(tag), name => {
        const own = attributes()
        const key = Object.hasOwn(own, name) ? name : Object.keys(own).find(key => key.endsWith(`:${name}`))
        return key === undefined ? '' : decode(decodeAstral(own[key] ?? ''))
      })
    })
    .on('closeTag', tag => close?.(bare(tag)))
    .on('text', (value, decode) => text?.(decode(decodeAstral(value))))
    .on('cdata', value => text?.(value))
    .on('error', error => {
      throw toError(error.message)
    })
  parser.parse(xml)
}
