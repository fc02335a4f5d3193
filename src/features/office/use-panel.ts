import { useSearch } from 'wouter'
import type { Right } from '#contract/rights.ts'
import { useChangeParams } from './use-url-param.ts'

/** Viewport that has room for the side panel; narrower ones open the record's own page. */
export const WIDE_VIEWPORT = '(min-width: 64em)'
export const PANEL_PREFIX = 'panel.'
const PARAM = 'open'

export type RecordKind = 'courses' | 'people'

/** Rights of which one is required to open a record. */
export const RECORD_RIGHTS: Record<RecordKind, readonly Right[]> = {
  courses: ['programme', 'bookings'],
  people: ['bookings', 'owner'],
}

/** The record in the side panel, which is part of the address: `?open=people-12`. */
export function usePanel() {
  const changeParams = useChangeParams()
  const open = new URLSearchParams(useSearch()).get(PARAM) ?? ''
  const [record = '', kind, id] = /^(courses|people)-(\d{1,9})$/.exec(open) ?? []
  const clear = (params: URLSearchParams) => {
    for (const key of [...params.keys()]) if (key === PARAM || key.startsWith(PANEL_PREFIX)) params.delete(key)
  }
  return {
    /** `people-12`; '' without a record */
    record,
    /** path of the record's own page */
    path: `/office/${kind}/${id}`,
    /**
     * The first record is an entry of the history, the next ones of the list replace it; the back button returns from
     * one that was opened in the panel. The tab stays while records of one kind follow each other.
     */
    show: (next: string, { tab, isInPanel }: { tab: string | undefined; isInPanel: boolean }) =>
      changeParams(
        params => {
          if (tab || !next.startsWith(`${kind}-`)) clear(params)
          params.set(PARAM, next)
          if (tab) params.set(`${PANEL_PREFIX}tab`, tab)
        },
        open === '' || isInPanel,
      ),
    close: () => changeParams(clear),
  }
}
