import * as v from 'valibot'
import { id } from '../values.ts'
import { act } from './act.ts'

export const certificateActs = {
  'issue-certificates': act(
    'billing',
    {
      courseId: id,
      /** only this person, whatever their status; missing: everybody who has earned one */
      webUserId: v.optional(id),
    },
    { people: ['webUserId'] },
  ),
  'revoke-certificate': act('billing', { code: v.pipe(v.string(), v.regex(/^[\w-]{22}$/)) }),
}
