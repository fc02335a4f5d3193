import { isTest, nodesOf, type SourceFile, type Violation } from './source-files.ts'

const OURS = /^(?:contract|src|server)\/.*\.tsx?$/
/** `nameOf`, `pricesOf`; `isPostmasterOf` has its verb. */
const PART_OF = /^(?!(?:is|has|list|find)[A-Z])\w*[a-z]Of$/

/** Functions by their names that answer later, as their own words say. */
function* waitingIn(file: SourceFile): Generator<string> {
  for (const node of nodesOf(file)) {
    const isNamed = node.type === 'VariableDeclarator' && node.id.type === 'Identifier'
    const made = node.type === 'FunctionDeclaration' ? node : isNamed ? node.init : null
    if (made?.type !== 'FunctionDeclaration' && made?.type !== 'ArrowFunctionExpression') continue
    const name = isNamed
      ? file.text.slice(node.id.start, node.id.end)
      : made.type === 'FunctionDeclaration' && made.id?.name
    const answer = made.returnType ? file.text.slice(made.returnType.start, made.returnType.end) : ''
    if (name && (made.async || /^:\s*Promise</.test(answer))) yield name
  }
}

/** `priceOf(course)` is the price as one reads it; what has to be waited for is an act, and its name begins with a verb. */
export const checkWaiting = (files: SourceFile[]): Violation[] =>
  files
    .filter(({ path }) => OURS.test(path) && !isTest(path))
    .flatMap(file =>
      [...waitingIn(file)]
        .filter(name => PART_OF.test(name))
        .map(name => `${file.path}: ${name} is waited for: begin its name with a verb`),
    )
