/**
 * The npm of the machine with the machine's Node.js: Debian's npm finds its own parts only with Debian's Node.js, while
 * `node` on PATH is that of the packages here. Falls back to `npm` on PATH outside of npm scripts.
 */
const { npm_execpath: path, npm_node_execpath: node } = process.env
export const npm = path && node ? { command: node, args: [path] } : { command: 'npm', args: [] }
