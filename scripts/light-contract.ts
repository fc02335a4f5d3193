import type { Plugin } from 'vite'

/** What the app asks an endpoint at run time; the schemas and summaries are the server's. */
const KEPT = new Set(['access', 'response'])

/**
 * Takes the schemas out of the contract's endpoints in the built app and its worker: it sends and reads by the types alone,
 * and the schema library stays out of the download. Of `response` only null and `{ file }` stay as they are.
 */
export const lightContract = (): Plugin => ({
  name: 'light-contract',
  apply: 'build',
  enforce: 'post',
  transform(code, id) {
    if (!/\/contract\/[\w-]+\.ts$/.test(id)) return null
    const edits: { start: number; end: number; text: string }[] = []
    for (const statement of this.parse(code).body) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declaration?.type !== 'VariableDeclaration') continue
      for (const { init } of declaration.declarations) {
        if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier' || init.callee.name !== 'endpoint')
          continue
        const options = init.arguments[2]
        if (options?.type !== 'ObjectExpression') continue
        const kept = options.properties.flatMap(property => {
          if (property.type !== 'Property' || property.key.type !== 'Identifier' || !KEPT.has(property.key.name))
            return []
          const { key, value } = property
          const isPlain = value.type === 'Literal' || value.type === 'ObjectExpression'
          return `${key.name}: ${isPlain ? code.slice(value.start, value.end) : '{}'}`
        })
        edits.push({ start: options.start, end: options.end, text: `{ ${kept.join(', ')} }` })
      }
    }
    const light = edits.reduceRight((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)
    return { code: light, map: null }
  },
})
