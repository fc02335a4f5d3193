import { RecordLink } from '#features/office/components/record-link.tsx'
import { hasAnyRight } from '#features/office/model.ts'
import { useSession } from '#features/session/store.ts'

/** Name of a payer, with a link for those who may open the person; without an account the name alone. */
export function PersonName({ webUserId, name }: { webUserId: number | null; name: string }) {
  const mayOpen = useSession(state => hasAnyRight(state.session?.rights ?? [], ['bookings', 'owner']))
  return webUserId === null || !mayOpen ? (
    name
  ) : (
    <RecordLink kind="people" id={webUserId}>
      {name}
    </RecordLink>
  )
}
