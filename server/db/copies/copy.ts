import type pg from 'pg'
import { StartError } from '#server/start-error.ts'
import { type Loaded, loadPortal, type Source } from './load.ts'
import { type Snapshot, withSnapshot } from './save.ts'
import { readTable, type TableContent } from './tables.ts'

/** Everything of one database into an empty one, each row compared. @throws StartError when it did not come as it was read */
export const copyPortal = (
  from: pg.ClientConfig,
  to: pg.ClientConfig,
  timeZone: string,
  check: (snapshot: Snapshot) => Promise<void> = async () => {},
): Promise<Loaded> =>
  withSnapshot(from, async snapshot => {
    await check(snapshot)
    return loadPortal(to, sourceOf(snapshot), timeZone)
  })

/** What is read goes on at once; the first reading of a table says what the second has to find. */
function sourceOf(snapshot: Snapshot): Source {
  const read = new Map<string, TableContent>()
  return {
    ...snapshot,
    open: async table => readTable(snapshot.client, table),
    verify(content) {
      const first = read.get(content.name)
      if (first === undefined) read.set(content.name, content)
      else if (first.sha256 !== content.sha256)
        throw new StartError(`The table ${content.name} came with other rows than were read: nothing was copied`)
    },
  }
}
