import type { Plugin } from 'vite'

/**
 * A stylesheet that composes from the shared pieces would duplicate them: they are emitted once, with the module of
 * `piece`, which every screen loads.
 */
export const piecesOnce: Plugin = {
  name: 'pieces-once',
  transform(code, id) {
    if (!/\.module\.css$/.test(id) || id.endsWith('/components/pieces.module.css')) return null
    const start = code.indexOf('@layer pieces')
    if (start < 0) return null
    let end = code.indexOf('{', start) + 1
    for (let depth = 1; depth > 0 && end < code.length; end += 1)
      depth += code[end] === '{' ? 1 : code[end] === '}' ? -1 : 0
    return { code: code.slice(0, start) + code.slice(end), map: null }
  },
}
