import type { Right } from '#contract/values.ts'
import { useQueryString } from '#lib/use-query-string.ts'
import { useChangeUrlParams } from './use-url-param.ts'

/** Media query for viewports wide enough for the side panel; on narrower ones, records open on their own page. */
export const WIDE_VIEWPORT = '(min-width: 64em)'
export const PANEL_PREFIX = 'panel.'
const PARAM = 'open'

export type RecordKind = 'courses' | 'people'

/** The permissions of which a user needs at least one to open a record, by kind of record. */
export const RECORD_RIGHTS: Record<RecordKind, readonly Right[]> = {
  courses: ['programme', 'bookings'],
  people: ['bookings', 'owner'],
}

/** The record shown in the side panel. Stored in the URL as `?open=people-12`. */
export function useSidePanel() {
  const changeParams = useChangeUrlParams()
  const open = new URLSearchParams(useQueryString()).get(PARAM) ?? ''
  const [record = '', kind, id] = /^(courses|people)-(\d{1,9})$/.exec(open) ?? []
  const clear = (params: URLSearchParams) => {
    for (const key of [...params.keys()]) if (key === PARAM || key.startsWith(PANEL_PREFIX)) params.delete(key)
  }
  return {
    /** key of the open record, such as `people-12`; '' if none is open */
    record,
    /** path to the record's own page */
    path: `/office/${kind}/${id}`,
    /**
     * Opens a record. Opening the first record adds a history entry; opening another record from the list replaces this
     * entry. A record opened from within the panel adds another entry, so that the Back button returns to the previous
     * record. The selected tab is preserved between records of the same kind.
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
