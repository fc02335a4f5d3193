import { AsOfLine as AsOf } from '#components/as-of-line.tsx'
import { useCourses } from '../store.ts'

/** From when the programme is, whenever it may be old. */
export function AsOfLine() {
  const asOf = useCourses(state => state.asOf)
  const isStale = useCourses(state => state.isStale)
  return <AsOf asOf={asOf} isStale={isStale} />
}
