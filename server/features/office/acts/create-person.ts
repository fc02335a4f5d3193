import type { ActHandler } from '../desk-service.ts'
import { insertPerson, requirePerson } from '../people-service.ts'

/** Somebody whom the department knows; with an address they get a mail to choose a password, without one letters. */
export const createPerson: ActHandler<'create-person'> = async (desk, act) => {
  const values = await requirePerson(desk, act)
  const webUserId = await insertPerson(desk, values)
  desk.made('web_users', webUserId)
  desk.concern({ people: [webUserId] })
  desk.note({ objects: { webUserId }, after: { fields: Object.keys(values).sort() } })
  return { webUserId }
}
