import type { ActHandler } from '../desk-service.ts'
import { requirePerson, updatePerson } from '../people-service.ts'

/** What is left out stays as it is. */
export const changePerson: ActHandler<'change-person'> = async (desk, act) => {
  await desk.open('web_users', act.webUserId)
  const values = await requirePerson(desk, act)
  await updatePerson(desk, act.webUserId, values)
  desk.note({ objects: { webUserId: act.webUserId }, after: { fields: Object.keys(values).sort() } })
}
