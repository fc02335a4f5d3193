import { RecordLink } from './record-link.tsx'

export const PersonLink = ({ id, name }: { id: number; name: string }) => (
  <RecordLink kind="people" id={id}>
    {name}
  </RecordLink>
)
