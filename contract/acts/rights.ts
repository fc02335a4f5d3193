import { right } from '../rights.ts'
import { email } from '../values.ts'
import { act } from './act.ts'

export const rightActs = {
  'grant-right': act('owner', { email, right }, { addresses: ['email'], changes: ['rights'], grants: 'right' }),
  'revoke-right': act('owner', { email, right }, { addresses: ['email'], changes: ['rights'] }),
}
