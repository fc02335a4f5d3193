import { Button } from '#components/button.tsx'
import type { ActKind } from '#contract/acts/acts.ts'
import { type ActRequest, startAct } from '../act-store.ts'

/** At the end of a row: the button that opens an act, in the words of the act. */
export const ActButton = <Kind extends ActKind>({ request }: { request: ActRequest<Kind> }) => (
  <Button look="text" onClick={() => startAct(request)}>
    {request.title}
  </Button>
)
