import { useState } from 'react'

type Id = number | string

/** The selected rows of a list, by row id. */
export function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<Id>>(new Set())
  const choose = (ids: Id[], isOn: boolean) =>
    setSelected(before => {
      const after = new Set(before)
      for (const id of ids) isOn ? after.add(id) : after.delete(id)
      return after
    })
  return { selected, choose, clear: () => setSelected(new Set()) }
}
