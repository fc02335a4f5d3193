import { useSearch } from 'wouter'
import { useChangeParams } from './use-url-param.ts'

/** Viewport that has room for the side panel; narrower ones open the record's own page. */
export const WIDE_VIEWPORT = '(min-width: 64em)'
export const PANEL_PREFIX = 'panel.'
const PARAM = 'open'

export type RecordKind = 'courses' | 'people'

/** The record in the side panel, which is part of the address: `?open=people-12`. */
export function usePanel() {
  const changeParams = useChangeParams()
  const open = new URLSearchParams(useSearch()).get(PARAM) ?? ''
  const [, kind, id] = /^(courses|people)-(\d{1,9})$/.exec(open) ?? []
  return {
    /** path of the record's own page; '' without a record */
    path: kind ? `/office/${kind}/${id}` : '',
    /** The first record is an entry of the history, the next ones replace it. */
    show: (next: RecordKind, nextId: number) =>
      changeParams(params => params.set(PARAM, `${next}-${nextId}`), open === ''),
    close: () =>
      changeParams(params => {
        for (const key of [...params.keys()]) if (key === PARAM || key.startsWith(PANEL_PREFIX)) params.delete(key)
      }),
  }
}
