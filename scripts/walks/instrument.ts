import { parseSync, Visitor } from 'vite'

/** What an instrumented file calls at the start of each named function; `isRender`: a component, called again when it has ended. */
type Found = { at: number; text: string }

const isComponent = (file: string, name: string) => file.endsWith('.tsx') && /^[A-Z]/.test(name)

/**
 * Lets each named function of a file (declared, bound to a name, a method) tell that it is entered. What a component calls while
 * it renders is not told: a screen that is drawn again looks at much and does nothing.
 */
export function instrument(code: string, file: string): string {
  const found: Found[] = []
  const seen = new Set<unknown>()

  const mark = (node: unknown, name: string) => {
    const { type, body } = node as { type: string; body: { type: string; start: number; end: number } | null }
    if (!/Function/.test(type) || !body || seen.has(node)) return
    seen.add(node)
    const entry = `globalThis.__walk?.(${JSON.stringify(file)},${JSON.stringify(name)},${isComponent(file, name)})`
    const [before, after] = isComponent(file, name) ? ['try{', '}finally{globalThis.__drawn?.()}'] : ['', '']
    if (body.type === 'BlockStatement' || body.type === 'FunctionBody') {
      found.push({ at: body.start + 1, text: `${entry};${before}` }, { at: body.end - 1, text: after })
    } else if (!before) found.push({ at: body.start, text: `(${entry},` }, { at: body.end, text: ')' })
    else found.push({ at: body.start, text: `{${entry};${before}return ` }, { at: body.end, text: `${after}}` })
  }
  const nameOf = (key: unknown) => (key as { name?: string; value?: string } | null)?.name ?? ''

  const { program, errors } = parseSync(file, code)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  new Visitor({
    FunctionDeclaration: node => mark(node, nameOf(node.id)),
    FunctionExpression: node => node.id && mark(node, nameOf(node.id)),
    VariableDeclarator: node => node.init && mark(node.init, nameOf(node.id)),
    Property: node => mark(node.value, nameOf(node.key)),
    MethodDefinition: node => mark(node.value, nameOf(node.key)),
  }).visit(program)

  // From the end, so that what stands before keeps its place; of two at one place the later found one is the inner one.
  const ordered = found.map((insertion, order) => ({ ...insertion, order }))
  ordered.sort((a, b) => b.at - a.at || b.order - a.order)
  return ordered.reduce((text, { at, text: inserted }) => text.slice(0, at) + inserted + text.slice(at), code)
}
