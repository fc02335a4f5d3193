/** Shell commands in a document that run on one or more machines. */
export type Block = { section: string; machines: string[]; commands: string; typed: number }

/** Extracts the code blocks that name their machines, as in ```sh one two. */
export function readBlocks(document: string): Block[] {
  return document.split(/^## /m).flatMap(part => {
    const section = part.slice(0, part.indexOf('\n'))
    return [...part.matchAll(/^```sh (.+)\n([\s\S]*?)^```$/gm)].map(([, names = '', commands = '']) => ({
      section,
      machines: names.split(' '),
      commands,
      typed: commands
        .replace(/<<'?END'?\n[\s\S]*?^END$/gm, '')
        .trim()
        .split('\n').length,
    }))
  })
}

/** Packages that the document installs. */
export const findPackages = (document: string): string[] => [
  ...new Set(
    [...document.matchAll(/^apt-get install -y --no-install-recommends (.+)$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    ),
  ),
]

/** Adds the demo programme to the commands, so that there are courses to book. */
export const withDemo = (commands: string): string =>
  commands.replace(/^tar -xzf .*$/gm, "$&\nsed -i 's/^DEMO=off/DEMO=on/' /opt/*/packaging/portal.env")

/** Accepts an unsigned release, which is what developers build. */
export const withoutSignature = (commands: string): string =>
  commands.replace(/^(\S+ upgrade \S+\.tar\.gz)$/gm, '$1 --unsigned')
